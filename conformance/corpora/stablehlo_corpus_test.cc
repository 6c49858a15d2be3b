#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/corpora/testing/stablehlo_reasons.h"
#include "conformance/files/read_file.h"
#include "conformance/judge/judge_check.h"
#include "conformance/literals/inputs.h"
#include "interpreter/error.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/verify/verify.h"

// Every program of StableHLO's own tests: what it declares of its values must
// hold, or the file stands with its reason in kReasons.

namespace hlo::conformance {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus_files(const std::string& folder) {
  const char* data = std::getenv("ASSAY_DATA");
  const fs::path root = fs::path(data == nullptr ? "../shared/data" : data) /
                        "stablehlo" / folder;
  std::vector<std::string> files;
  if (!fs::is_directory(root)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".mlir") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

struct Tally {
  std::map<CheckVerdict, int64_t> checks;
  int64_t programs = 0;
  int64_t unchecked = 0;  // programs that declare nothing
  std::map<std::string, int64_t> explained;
  std::vector<std::string> failures;

  void run_file(const std::string& file);
  void run_program(const stablehlo::Program& program, const std::string& file);
  void fail(const std::string& file, const std::string& what);
  void print(size_t files) const;
};

void Tally::fail(const std::string& file, const std::string& what) {
  const std::string_view reason = reason_for(file);
  if (!reason.empty()) {
    ++explained[std::string(reason)];
    return;
  }
  failures.push_back(file + ": " + what);
}

void Tally::run_program(const stablehlo::Program& program,
                        const std::string& file) {
  Module module = stablehlo::import_program(program);
  verify(module);
  const auto inputs =
      make_device_inputs(module, std::vector<std::string>{"random:1"});
  const CheckedRun checked = evaluate_with_checks(module, inputs, {});
  if (checked.outcomes.empty()) ++unchecked;
  for (const CheckOutcome& outcome : checked.outcomes) {
    ++checks[outcome.verdict];
    if (outcome.verdict != CheckVerdict::kMismatch) continue;
    const bool other = reason_for(file) == kOtherRounding;
    if (other && outcome.admitted_by.empty()) {
      failures.push_back(file + ": not in the set: " + describe(outcome));
      continue;
    }
    fail(file,
         std::to_string(outcome.location.line) + ": " + describe(outcome));
  }
}

void Tally::run_file(const std::string& file) {
  try {
    for (const stablehlo::Program& program :
         stablehlo::parse(read_file(file))) {
      ++programs;
      try {
        run_program(program, file);
      } catch (const Error& error) {
        fail(file, std::to_string(error.location().line) + ": " + error.what());
      }
    }
  } catch (const Error& error) {
    fail(file, std::to_string(error.location().line) + ": " + error.what());
  }
}

void Tally::print(size_t files) const {
  const auto count = [this](CheckVerdict verdict) {
    const auto found = checks.find(verdict);
    return found == checks.end() ? 0 : found->second;
  };
  std::cout << files << " files, " << programs << " programs, " << unchecked
            << " without a check; checks: " << count(CheckVerdict::kBitEqual)
            << " bit-equal, " << count(CheckVerdict::kWithin)
            << " within their tolerance, " << count(CheckVerdict::kMismatch)
            << " mismatches\n";
  for (const auto& [reason, n] : explained) {
    std::cout << "  " << n << " " << reason << "\n";
  }
}

void run_folder(const std::string& folder) {
  const std::vector<std::string> files = corpus_files(folder);
  if (files.empty()) {
    GTEST_SKIP() << "no stablehlo/" << folder << " in ASSAY_DATA";
  }
  Tally tally;
  for (const std::string& file : files) tally.run_file(file);
  tally.print(files.size());
  for (const std::string& failure : tally.failures) ADD_FAILURE() << failure;
}

TEST(StablehloCorpus, ProgramsOfTestdataHoldWhatTheyDeclare) {
  run_folder("testdata");
}

TEST(StablehloCorpus, ProgramsOfInterpretHoldWhatTheyDeclare) {
  run_folder("interpret");
}

}  // namespace
}  // namespace hlo::conformance
