#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/testing/rejection.h"

namespace hlo::text {
namespace {

using hlo::testing::rejection;

namespace fs = std::filesystem;

fs::path data_folder() {
  const char* folder = std::getenv("ASSAY_DATA");
  return folder != nullptr ? folder : "../shared/data";
}

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Why the text does not survive parse, print, parse, print; empty if it does.
std::string round_trip_problem(const std::string& source) {
  const Module first = parse(source);
  const std::string printed = print(first);
  const Module second = parse(printed);
  if (!equal(first, second)) return "parses to another module:\n" + printed;
  if (print(second) != printed) return "prints to other bytes:\n" + printed;
  return {};
}

struct Row {
  std::string name;
  std::string text;
  bool is_valid = false;
  bool verifies = false;
  bool has_verdict = false;
};

std::vector<Row> read_corpus() {
  std::ifstream stream(data_folder() / "xla" / "parse.jsonl");
  std::vector<Row> rows;
  for (std::string line; std::getline(stream, line);) {
    const auto json = nlohmann::json::parse(line);
    const bool has_verdict =
        json.contains("verifies") && json["verifies"].is_boolean();
    rows.push_back({json["name"], json["text"], json["valid"].get<bool>(),
                    has_verdict && json["verifies"].get<bool>(), has_verdict});
  }
  return rows;
}

/// Prints the rows by name with their reasons, and how many there are.
void report(const std::string& title,
            const std::map<std::string, std::string>& rows) {
  std::cout << title << ": " << rows.size() << "\n";
  for (const auto& [name, reason] : rows) {
    std::cout << "  " << name << ": " << reason << "\n";
  }
}

TEST(Corpus, ProgramsRoundTrip) {
  const fs::path folder = data_folder() / "hlo";
  if (!fs::exists(folder)) GTEST_SKIP() << "no " << folder;
  int programs = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string source = contents(entry.path());
    try {
      EXPECT_EQ(round_trip_problem(source).substr(0, 300), "") << entry.path();
    } catch (const Error& error) {
      ADD_FAILURE() << render(error, entry.path().string(), source);
    }
    ++programs;
  }
  EXPECT_GE(programs, 8);
}

TEST(Corpus, ProgramsVerify) {
  const fs::path folder = data_folder() / "hlo";
  if (!fs::exists(folder)) GTEST_SKIP() << "no " << folder;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string source = contents(entry.path());
    const auto error = rejection(source);
    if (error) ADD_FAILURE() << render(*error, entry.path().string(), source);
  }
}

TEST(Corpus, ValidTextsParseAndRoundTrip) {
  const auto rows = read_corpus();
  if (rows.empty()) GTEST_SKIP() << "no parse.jsonl";
  std::map<std::string, std::string> rejected;
  std::map<std::string, std::string> changed;
  size_t valid = 0;
  for (const Row& row : rows) {
    if (!row.is_valid) continue;
    ++valid;
    try {
      const std::string problem = round_trip_problem(row.text);
      if (!problem.empty()) changed[row.name] = problem;
    } catch (const Error& error) {
      rejected[row.name] = error.what();
    }
  }
  std::cout << "valid texts: " << valid << "\n";
  report("rejected", rejected);
  report("changed", changed);
  EXPECT_LE(rejected.size() * 1000, valid * 5);
  EXPECT_TRUE(changed.empty());
}

TEST(Corpus, InvalidTextsAreRejectedWithAPosition) {
  const auto rows = read_corpus();
  if (rows.empty()) GTEST_SKIP() << "no parse.jsonl";
  std::map<std::string, std::string> accepted;
  std::map<std::string, std::string> rejected;
  for (const Row& row : rows) {
    if (row.is_valid) continue;
    const auto error = rejection(row.text);
    if (!error || error->location().line == 0) {
      accepted[row.name] = error ? error->what() : "accepted";
    } else {
      rejected[row.name] = error->what();
    }
  }
  report("rejected", rejected);
  report("not rejected with a position", accepted);
  EXPECT_TRUE(accepted.empty());
}

TEST(Corpus, VerifiedTextsVerify) {
  const auto rows = read_corpus();
  if (rows.empty()) GTEST_SKIP() << "no parse.jsonl";
  std::map<std::string, std::string> rejected;
  size_t count = 0;
  for (const Row& row : rows) {
    if (!row.is_valid || !row.verifies) continue;
    ++count;
    if (const auto error = rejection(row.text)) {
      rejected[row.name] = error->what();
    }
  }
  std::cout << "texts that verify: " << count << "\n";
  report("rejected", rejected);
  EXPECT_LE(rejected.size() * 1000, count * 5);
}

}  // namespace
}  // namespace hlo::text
