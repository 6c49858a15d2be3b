#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/verify/testing/rejection.h"

// XLA's own tests, with the verdicts of its parser and its verifier.

namespace hlo {
namespace {

using testing::rejection;

struct Row {
  std::string name;
  std::string text;
  bool verifies = false;
};

/// The texts that XLA's parser accepts and its verifier has judged.
std::vector<Row> read_rows() {
  const char* folder = std::getenv("ASSAY_DATA");
  std::ifstream stream(std::string(folder ? folder : "../shared/data") +
                       "/xla/parse.jsonl");
  std::vector<Row> rows;
  for (std::string line; std::getline(stream, line);) {
    const auto json = nlohmann::json::parse(line);
    if (!json["valid"].get<bool>() || json["verifies"].is_null()) continue;
    rows.push_back({json["name"], json["text"], json["verifies"].get<bool>()});
  }
  return rows;
}

// What XLA's verifier accepts and this one does not.
const std::map<std::string, std::string>& rejected_here() {
  static const std::map<std::string, std::string> names = {
      {"backends.gpu.transforms.multi_output_fusion_test."
       "SkipsDynamicSliceFusionV2Producer.2156",
       "the result would read bytes behind the operand"},
      {"hlo.evaluator.hlo_evaluator_test.OrderedCompareOnComplexReturnsError."
       "6928",
       "complex numbers have no order"},
      {"service.gpu.gpu_fusible_test.GetFusionRootsWithGTEMakeTupleSequence."
       "1424",
       "the result would read bytes behind the operand"},
  };
  return names;
}

// What XLA's verifier rejects and this one does not.
const std::map<std::string, std::string>& accepted_here() {
  static const std::map<std::string, std::string> names = {};
  return names;
}

TEST(VerifyCorpus, AcceptsWhatXlaAcceptsButForExceptions) {
  const std::vector<Row> rows = read_rows();
  if (rows.empty()) GTEST_SKIP() << "no xla/parse.jsonl in ASSAY_DATA";
  size_t exceptions = 0;
  for (const Row& row : rows) {
    if (!row.verifies) continue;
    const auto error = rejection(row.text);
    const bool is_exception = rejected_here().contains(row.name);
    EXPECT_EQ(error.has_value(), is_exception)
        << row.name << ": " << (error ? error->what() : "accepted");
    if (error) ++exceptions;
  }
  EXPECT_EQ(exceptions, rejected_here().size());
}

TEST(VerifyCorpus, RejectsWhatXlaRejectsButForExceptions) {
  const std::vector<Row> rows = read_rows();
  if (rows.empty()) GTEST_SKIP() << "no xla/parse.jsonl in ASSAY_DATA";
  size_t exceptions = 0;
  for (const Row& row : rows) {
    if (row.verifies) continue;
    const auto error = rejection(row.text);
    const bool is_exception = accepted_here().contains(row.name);
    EXPECT_EQ(!error.has_value(), is_exception)
        << row.name << ": " << (error ? error->what() : "accepted");
    if (!error) ++exceptions;
  }
  EXPECT_EQ(exceptions, accepted_here().size());
}

}  // namespace
}  // namespace hlo
