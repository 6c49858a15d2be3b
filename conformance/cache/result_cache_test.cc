#include "conformance/cache/result_cache.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/cache/worker_files.h"
#include "conformance/literals/literal_bits.h"

namespace hlo::conformance {
namespace {

using std::literals::operator""sv;

constexpr std::string_view kNow = "of this program";
constexpr std::string_view kKey =
    "7777777777777777777777777777777777777777777777777777777777777777";

/// A line of this text, with a right sum.
std::string line_of(const std::string& list) {
  return checked_line(kNow, std::string(kKey) + " " + list);
}

Judgement conforming() {
  Judgement judgement;
  judgement.verdict = Verdict::kConforms;
  judgement.closeness = {.elements = 5,
                         .outside = 0,
                         .inexact = 2,
                         .worst_ulps = std::numeric_limits<double>::infinity(),
                         .headroom = 0.1 + 0.2,
                         .empty_bounds = 1,
                         .level = 3};
  return judgement;
}

Judgement with_verdict(Verdict verdict) {
  Judgement judgement;
  judgement.verdict = verdict;
  return judgement;
}

TEST(ResultLine, HasEveryBitOfAJudgement) {
  const std::string line = result_line(kNow, kKey, conforming());
  const auto read = read_result_line(kNow, kKey, line);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->verdict, Verdict::kConforms);
  EXPECT_EQ(read->closeness.elements, 5);
  EXPECT_EQ(read->closeness.inexact, 2);
  EXPECT_EQ(read->closeness.worst_ulps,
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(read->closeness.headroom, 0.1 + 0.2);
  EXPECT_EQ(read->closeness.empty_bounds, 1);
  EXPECT_EQ(read->closeness.level, 3);
  Judgement refusal = with_verdict(Verdict::kUnsupported);
  refusal.message = "no \"f64\"\n\x01";
  const auto again =
      read_result_line(kNow, kKey, result_line(kNow, kKey, refusal));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->message, refusal.message);
  EXPECT_EQ(again->closeness.headroom, std::nullopt);
}

TEST(ResultLine, IsOfOneCaseAndOneFingerprint) {
  const std::string line = result_line(kNow, kKey, conforming());
  EXPECT_FALSE(read_result_line("of another one", kKey, line));
  EXPECT_FALSE(read_result_line(kNow, std::string(64, '8'), line));
  EXPECT_FALSE(read_result_line(kNow, "", ""));
}

TEST(ResultLine, IsNothingWithAnyByteChanged) {
  const std::string line = result_line(kNow, kKey, conforming());
  for (size_t i = 0; i < line.size(); ++i) {
    std::string other = line;
    other[i] = static_cast<char>(other[i] ^ 1);
    EXPECT_FALSE(read_result_line(kNow, kKey, other)) << i;
    EXPECT_FALSE(read_result_line(kNow, kKey, line.substr(0, i))) << i;
    EXPECT_FALSE(read_result_line(kNow, kKey, line + line.substr(0, i + 1)));
  }
}

TEST(ResultLine, WithARightSumMustStillBeAResult) {
  for (const char* list :
       {"", "[]", "{}", "[true]", "[[[[", "[1,\"\",0,0,0,0,null,0,null]",
        "[true,\"\",0,0,0,-1,null,0,null]", "[true,7,0,0,0,0,null,0,null]",
        "[true,\"\",0,0,0,0,null,0,null,0]", "[true,\"\",0,0,0,0,null,0,1e300]",
        " [true,\"\",0,0,0,0,null,0,null]",
        "[true,\"\xff\",0,0,0,0,null,0,null]"}) {
    EXPECT_FALSE(read_result_line(kNow, kKey, line_of(list))) << list;
  }
  EXPECT_TRUE(
      read_result_line(kNow, kKey, line_of("[true,\"\",0,0,0,0,null,0,null]")));
}

TEST(ResultCache, KeepsNothingThatWentWrong) {
  for (const Verdict verdict : all_verdicts()) {
    EXPECT_EQ(
        is_kept(with_verdict(verdict)),
        verdict == Verdict::kConforms || verdict == Verdict::kUnsupported);
    Judgement flaky = with_verdict(verdict);
    flaky.again = Verdict::kDiffers;
    EXPECT_FALSE(is_kept(flaky));
  }
}

TEST(ContentHash, IsOfAllThatAResultDependsOn) {
  Case c;
  c.id = "add/f32/x";
  c.hlo = "HloModule a";
  const std::string plain = content_hash(c);
  const auto differs = [&](const auto& change) {
    Case other = c;
    change(other);
    return content_hash(other) != plain;
  };
  EXPECT_TRUE(differs([](Case& o) { o.id = "add/f32/y"; }));
  EXPECT_TRUE(differs([](Case& o) { o.hlo += " "; }));
  EXPECT_TRUE(differs([](Case& o) { std::swap(o.hlo, o.stablehlo); }));
  EXPECT_TRUE(differs(
      [](Case& o) { o.inputs.push_back(parse_bits("f32[] 00000000")); }));
  EXPECT_TRUE(differs([](Case& o) { o.expect.emplace_back(RejectedSet{}); }));
  EXPECT_TRUE(differs([](Case& o) { o.derive_sets = true; }));
  EXPECT_TRUE(differs([](Case& o) { o.asks_reference = true; }));
  // Where it stands does not matter.
  EXPECT_FALSE(differs([](Case& o) { o.file = "f"; }));
  EXPECT_FALSE(differs([](Case& o) { o.line = 7; }));
}

TEST(ProcessorKinds, LeaveOutWhatChangesByItself) {
  EXPECT_EQ(processor_kinds("processor\t: 0\nmodel name\t: A\ncpu MHz\t: 1.5\n"
                            "flags\t\t: x y\n\nprocessor\t: 1\n"
                            "model name\t: A\ncpu MHz\t: 2\nflags\t\t: x y\n"),
            "flags\t\t: x y\nmodel name\t: A\n");
  EXPECT_EQ(processor_kinds("nothing\n"), "");
}

TEST(TellingVariables, LeaveOutPlaceAndTime) {
  EXPECT_EQ(
      telling_variables("XLA_FLAGS=-a\0PWD=/b\0GITHUB_RUN_ID=7\0PWDX=1\0"sv),
      "PWDX=1\0XLA_FLAGS=-a\0"sv);
}

}  // namespace
}  // namespace hlo::conformance
