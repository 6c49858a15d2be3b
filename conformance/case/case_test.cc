#include "conformance/case/case.h"

#include <gtest/gtest.h>

#include "conformance/literals/literal_bits.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kHeader =
    R"({"generator":"g","command":"c","notes":{"A":"a note"},"do_not_edit":true})";
constexpr std::string_view kCase =
    R"({"id":"pad/f32/x","statement":"s","why":["A"],"hlo":"m","inputs":["f32[2] 3f800000 7fc00000"],"expect":[{"bits":"f32[2] 3f800000*2","nan":"same"}],"source":"exact"})";

std::string rule_of(std::string_view text) {
  try {
    parse_case(text, "f", 7);
  } catch (const Error& error) {
    return error.rule() + ":" + std::to_string(error.location().line);
  }
  return "";
}

std::string bits_rule(std::string_view text) {
  try {
    return print_bits(parse_bits(text));
  } catch (const Error& error) {
    return error.rule();
  }
}

/// kCase with one piece of text replaced.
std::string with(std::string_view piece, std::string_view replacement) {
  std::string text(kCase);
  return text.replace(text.find(piece), piece.size(), replacement);
}

TEST(Bits, PrintBackWhatTheyRead) {
  for (const std::string text :
       {"f32[2] 3f800000 7fc00001", "pred[3] 1*3", "s4[2] f 7", "f32[0,3]",
        "c64[] 3f800000:80000000", "f6e2m3fn[] 1f", "u64[] 0123456789abcdef"}) {
    EXPECT_EQ(bits_rule(text), text);
  }
}

TEST(Bits, RefuseWhatIsNotALiteral) {
  for (const char* text :
       {"", "f32", "f32[2]", "f32[2] 3f800000", "f32[1] 3f80000",
        "f32[1] 3F800000", "f32[1] 3f800000 3f800000", "f6e2m3fn[] 40",
        "c64[] 3f800000", "f32[] 3f800000:3f800000", "(f32[]) 3f800000",
        "f32[2] 3f800000*0", "f32[2] 3f800000*-2", "q7[] 0",
        "pred[100000000000] 0*100000000000"}) {
    EXPECT_EQ(bits_rule(text), "vectors.literal") << text;
  }
}

TEST(Case, PrintsBackTheLineItRead) {
  EXPECT_EQ(print_case(parse_case(kCase, "f", 1)), kCase);
}

TEST(Case, PrintsBackEverySet) {
  for (
      const std::string set :
      {R"({"rounded":"f32[2] 3f800000 00000000","sides":"+0","faithful":true})",
       R"({"rounded":"f32[] 3f800000","steps":2,"least":"f32[] bf800000"})",
       R"({"interval":"f32[] 3f800000","low":"f32[] 3f7fffff","high":"f32[] 3f800001","terms":[3],"magnitude":"f64[] 4000000000000000","nans":"1"})",
       R"({"unspecified":"why"})"}) {
    const std::string line =
        with(R"({"bits":"f32[2] 3f800000*2","nan":"same"})", set);
    EXPECT_EQ(print_case(parse_case(line, "f", 1)), line);
  }
}

TEST(Case, ReadsRejectionsAndUnblessedCases) {
  const std::string_view sets =
      R"([{"bits":"f32[2] 3f800000*2","nan":"same"}])";
  const std::string rejected = with(sets, R"({"rejected":"pad.C4"})");
  EXPECT_EQ(print_case(parse_case(rejected, "f", 1)), rejected);
  std::string asked = with(sets, "\"reference\"");
  EXPECT_EQ(rule_of(asked), "vectors.case:7");
  asked.replace(asked.find("exact"), 5, "reference");
  EXPECT_TRUE(parse_case(asked, "f", 1).asks_reference);
}

TEST(Case, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(rule_of("{"), "vectors.json:7");
  EXPECT_EQ(rule_of("[1]"), "vectors.json:7");
  EXPECT_EQ(rule_of("{}"), "vectors.case:7");
  EXPECT_EQ(rule_of(with("pad/f32/x", "pad")), "vectors.case:7");
  EXPECT_EQ(rule_of(with("\"statement\"", "\"state\"")), "vectors.case:7");
  EXPECT_EQ(rule_of(with("[\"A\"]", "[]")), "vectors.case:7");
  EXPECT_EQ(rule_of(with("\"same\"", "\"other\"")), "vectors.case:7");
  EXPECT_EQ(rule_of(with("7fc00000", "7fc0000g")), "vectors.literal:7");
  EXPECT_EQ(rule_of(std::string(1000, '[')), "vectors.json:7");
}

TEST(Vectors, RefuseSecondIdsAndUnknownFlags) {
  const std::string file = std::string(kHeader) + "\n" + std::string(kCase);
  EXPECT_EQ(parse_vectors(file, "f").cases.size(), 1U);
  EXPECT_THROW(parse_vectors(file + "\n" + std::string(kCase), "f"), Error);
  EXPECT_THROW(
      parse_vectors(std::string(kHeader) + "\n" + with("\"A\"", "\"B\""), "f"),
      Error);
  EXPECT_THROW(parse_vectors("", "f"), Error);
}

}  // namespace
}  // namespace hlo::conformance
