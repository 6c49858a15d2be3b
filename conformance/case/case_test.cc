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

TEST(Case, HasItsProgramInOneLanguage) {
  const std::string other = with(R"("hlo":"m")", R"("stablehlo":"m")");
  EXPECT_EQ(print_case(parse_case(other, "f", 1)), other);
  EXPECT_EQ(parse_case(other, "f", 1).hlo, "");
  for (const char* programs :
       {R"("hlo":"m","stablehlo":"m")", R"("stablehlo":"")", R"("stablehlo":1)",
        R"("hlo":"","stablehlo":"m")"}) {
    EXPECT_EQ(rule_of(with(R"("hlo":"m")", programs)), "vectors.case:7")
        << programs;
  }
  EXPECT_EQ(rule_of(with(R"("hlo":"m",)", "")), "vectors.case:7");
}

TEST(Case, PrintsBackEverySet) {
  for (
      const std::string set :
      {R"({"interval":"f32[] 3f800000","low":"f32[] 3f7fffff","high":"f32[] 3f800001"})",
       R"({"interval":"f32[2] 3f800000*2","low":"f32[2] 3f7fffff 3f800000","high":"f32[2] 3f800001*2","nans":"10"})",
       R"({"interval":"f32[2] 3f800000 7f800001","low":"f32[2] 3f7fffff 7f800001","high":"f32[2] 3f800001 7f800001","nans":"0s"})",
       R"({"interval":"f32[<=2](1) 3f800000 00000000","low":"f32[<=2](1) 3f7fffff 00000000","high":"f32[<=2](1) 3f800001 00000000"})",
       R"({"bits":"s8[<=2,2,<=3](0,2,3) 00*12","nan":"same"})",
       R"({"interval":"f32[] 7f800001","low":"f32[] 7f800001","high":"f32[] 7f800001","nans":"1"})",
       R"({"interval":"c64[] 3f800000:80000000","low":"c64[] 3f800000:80000000","high":"c64[] 3f800001:00000000","nans":"01"})",
       R"({"interval":"f32[2] 3f800000*2","low":"f32[2] 3f800000 00000000","high":"f32[2] 3f800000 00000000","also":[{"low":"f32[2] 3f800000*2","high":"f32[2] 3f800000 3f900000"}]})",
       R"({"interval":"f32[2] 7fc00000 3f800000","low":"f32[2] 7fc00000 3f800000","high":"f32[2] 7fc00000 3f800000","also":[{"low":"f32[2] 7f800001 3f800000","high":"f32[2] 7f800001 3f800000"}],"nans":"10"})",
       R"({"interval":"f8e4m3fn[] 7f","low":"f8e4m3fn[] 7e","high":"f8e4m3fn[] 7e","nans":"1"})",
       R"({"interval":"s8[] 00","low":"s8[] fb","high":"s8[] 06"})",
       R"({"unspecified":"why"})"}) {
    const std::string line =
        with(R"({"bits":"f32[2] 3f800000*2","nan":"same"})", set);
    EXPECT_EQ(print_case(parse_case(line, "f", 1)), line);
  }
}

TEST(Case, TakesTheValueAndWhatLiesBeyondNanIntoASet) {
  const auto set = [](const std::string& text) {
    const std::string line =
        with(R"({"bits":"f32[2] 3f800000*2","nan":"same"})", text);
    const Case c = parse_case(line, "f", 1);
    return std::get<ArraySet>(c.expect.at(0)).at(0);
  };
  const ValueSet outside = set(
      R"({"interval":"f32[] 40000000","low":"f32[] 3f800000","high":"f32[] 3f800000"})");
  EXPECT_TRUE(outside.contains(0x40000000, ElementType::kF32));
  EXPECT_FALSE(outside.contains(0x3fc00000, ElementType::kF32));
  const ValueSet beyond = set(
      R"({"interval":"f8e4m3fn[] 7f","low":"f8e4m3fn[] 7d","high":"f8e4m3fn[] 7f"})");
  EXPECT_TRUE(beyond.contains(0x7e, ElementType::kF8E4M3FN));
  EXPECT_TRUE(beyond.contains(0xff, ElementType::kF8E4M3FN));
  EXPECT_FALSE(beyond.contains(0x7c, ElementType::kF8E4M3FN));
  const ValueSet operand = set(
      R"({"interval":"f32[] 7fc00000","low":"f32[] 7fc00000","high":"f32[] 7fc00000","also":[{"low":"f32[] 7f800001","high":"f32[] 7f800001"}],"nans":"1"})");
  EXPECT_TRUE(operand.contains(0x7f800001, ElementType::kF32));
  EXPECT_TRUE(operand.contains(0x7fc00002, ElementType::kF32));
  EXPECT_FALSE(operand.contains(0x7f800002, ElementType::kF32));
  const ValueSet kept = set(
      R"({"interval":"f32[] 7f800001","low":"f32[] 7f800001","high":"f32[] 7f800001","nans":"1"})");
  EXPECT_TRUE(kept.contains(0x7f800001, ElementType::kF32));
  EXPECT_TRUE(kept.contains(0x7fc00000, ElementType::kF32));
  EXPECT_FALSE(kept.contains(0x7f800002, ElementType::kF32));
}

// A quiet NaN that is computed stands beside numbers that stay.
TEST(Case, PrintsSetsOfWhichSomeAreWritten) {
  Literal value(Shape::array(ElementType::kF32, {2}));
  value.set(0, {.type = ElementType::kF32, .bits = {0x7fc00000, 0}});
  ArraySet set = ArraySet::computed(value);
  set.put(1, 0, ValueSet::range(0, 1));
  Case c = parse_case(kCase, "f", 1);
  c.expect = {set};
  const Case read = parse_case(print_case(c), "f", 1);
  EXPECT_EQ(std::get<ArraySet>(read.expect.at(0)).sets, set.sets);
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
  EXPECT_EQ(rule_of(R"({"id":"a/b/c","id":"a/b/d"})"), "vectors.json:7");
  EXPECT_EQ(rule_of(R"({"a":[{"b":1},{"b":2}],"c":{"b":1,"b":2}})"),
            "vectors.json:7");
  EXPECT_EQ(rule_of(R"({"a":[{"b":1},{"b":2}],"c":{"b":1}})"),
            "vectors.case:7");
  EXPECT_EQ(rule_of("{}"), "vectors.case:7");
  EXPECT_EQ(rule_of(with("pad/f32/x", "pad")), "vectors.case:7");
  EXPECT_EQ(rule_of(with("\"statement\"", "\"state\"")), "vectors.case:7");
  EXPECT_EQ(rule_of(with("[\"A\"]", "[]")), "vectors.case:7");
  EXPECT_EQ(rule_of(with("\"same\"", "\"other\"")), "vectors.case:7");
  EXPECT_EQ(rule_of(with("7fc00000", "7fc0000g")), "vectors.literal:7");
  for (const std::string range :
       {R"("low":"f32[2] 3f800000*2")",
        R"("low":"f32[2] 3f800000*2","high":"f32[] 3f800000")",
        R"("low":"f32[2] 3f800000*2","high":"f32[2] 3f800000*2","also":{})",
        R"("low":"f32[2] 3f800000*2","high":"f32[2] 3f800000*2","also":[1])",
        R"("low":"f32[2] 3f800000*2","high":"f32[2] 3f800000*2","nans":"2")",
        R"("low":"f32[2] 3f800000*2","high":"f32[2] 3f800000*2","steps":2)"}) {
    const std::string set = R"({"interval":"f32[2] 3f800000*2",)" + range + "}";
    EXPECT_EQ(
        rule_of(with(R"({"bits":"f32[2] 3f800000*2","nan":"same"})", set)),
        "vectors.case:7")
        << set;
  }
  EXPECT_EQ(rule_of(std::string(1000, '[')), "vectors.json:7");
  EXPECT_EQ(rule_of(R"({"id":[[[[[[[]]]]]]]})"), "vectors.case:7");
  EXPECT_EQ(rule_of(R"({"id":[[[[[[[1]]]]]]]})"), "vectors.case:7");
  EXPECT_EQ(rule_of(R"({"id":[[[[[[[{"a":1}]]]]]]]})"), "vectors.json:7");
  EXPECT_EQ(rule_of(R"({"id":[[[[[[[[]]]]]]]]})"), "vectors.json:7");
}

/// The text from the place on that the error names.
std::string pointed_at(const std::string& text) {
  try {
    parse_case(text, "f", 7);
  } catch (const Error& error) {
    return text.substr(static_cast<size_t>(error.location().column) - 1);
  }
  return "";
}

struct WrongLine {
  std::string_view piece;
  std::string_view replacement;
  std::string_view wrong;  // what the column points at
};

constexpr WrongLine kWrongLines[] = {
    {R"("statement")", R"(statement")", R"(statement")"},
    {R"("statement")", R"("state")", R"("state")"},
    {R"("hlo":"m",)", "", R"({"id")"},
    {R"("hlo":"m",)", R"("hlo":"m","stablehlo":"m",)", R"({"id")"},
    {R"("why")", R"("id":"x","why")", R"("id":"x")"},
    {R"("why")", R"("w":[[[[[[[[[1]]]]]]]]],"why")", "[[1]]"},
    {R"("why")", R"("w":1e999,"why")", "1e999"},
    {R"(["A"])", R"(["A","a"])", R"("a"])"},
    {R"("s","why":["A"])", R"("\",[{\\","why":["a"])", R"("a"])"},
    {R"("s")", R"(["\"],{\\",{"id":1}])", R"(["\"],)"},
    {"7fc00000", "7fc0000g", "7fc0000g"},
    {"3f800000 7fc00000", R"(3f8\u00300000 7fc0000g)", "7fc0000g"},
    {"3f800000 7fc00000", "3f800000", R"("],"expect")"},
    {"f32[2] 3f800000 7", "f32[<=2](1) 3f800000 7", R"("f32[<=2](1) )"},
    {R"("bits":"f32[2])", R"("bits":"f32[<=2](3))", "3) 3f8"},
    {R"("bits":"f32[2])", R"("bits":"f32[2](1))", "1) 3f8"},
    {R"("bits":"f32[2])", R"("bits":"f32[<=2](1,1))", "1,1) 3f8"},
    {R"("bits":"f32[2])", R"("bits":"f32[<=2](-1))", "-1) 3f8"},
    {R"("bits":"f32[2])", R"("bits":"f32[<=2](1)", "1 3f8"},
    {R"("bits":"f32[2])", R"("bits":"f32[<=2]())", ") 3f8"},
    {"3f800000 7fc00000", "3f800000*2 00000000", "00000000\"]"},
    {"f32[2] 3f800000 7", "f32[2 3f800000 7", " 3f800000 7"},
    {R"("same")", R"("other")", R"("other")"},
    {R"("bits":"f32[2] 3f8)", R"("bit":"f32[2] 3f8)", R"("bit")"},
    {R"([{"bits")", R"([1,{"bits")", R"(1,{"bits")"},
    {R"("exact")", R"("else")", R"("else")"},
    {R"({"bits":"f32[2] 3f800000*2","nan":"same"})",
     R"({"interval":"u8[] 00","low":"u8[] 00","high":"u8[] 00","nans":"s"})",
     R"("s"})"},
    {R"({"bits":"f32[2] 3f800000*2","nan":"same"})",
     R"({"interval":"f32[2] 7fc00000 00000000","low":"f32[2] 7fc00000 00000000","high":"f32[2] 7fc00000 00000000","nans":"ss"})",
     R"(s"})"},
};

TEST(Case, PointsAtWhatIsWrong) {
  for (const WrongLine& row : kWrongLines) {
    const std::string text = with(row.piece, row.replacement);
    EXPECT_TRUE(pointed_at(text).starts_with(row.wrong)) << text << "\n"
                                                         << pointed_at(text);
  }
}

// The set of kCase as `set`, whose label is that of a case that means nothing.
std::string rule_of_set(std::string_view set) {
  return rule_of(with(R"({"bits":"f32[2] 3f800000*2","nan":"same"})", set));
}

TEST(Case, RefusesSetsThatMeanNothing) {
  for (
      const std::string_view set :
      {// no number lies between the ends: of floats, signed and unsigned
       // numbers, zeros, and of one part
       R"({"interval":"f32[] 3f800000","low":"f32[] 3f800001","high":"f32[] 3f800000"})",
       R"({"interval":"s8[] 00","low":"s8[] 01","high":"s8[] ff"})",
       R"({"interval":"u8[] 00","low":"u8[] ff","high":"u8[] 01"})",
       R"({"interval":"u64[] 0000000000000000","low":"u64[] ffffffffffffffff","high":"u64[] 0000000000000001"})",
       R"({"interval":"f32[] 00000000","low":"f32[] 00000000","high":"f32[] 80000000"})",
       R"({"interval":"c64[] 3f800000:00000000","low":"c64[] 3f800000:3f800000","high":"c64[] 3f800000:00000000"})",
       R"({"interval":"f32[] 3f800000","low":"f32[] 3f800000","high":"f32[] 3f800000","also":[{"low":"f32[] 40000000","high":"f32[] 3f900000"}]})",
       // NaN is no end where the type has infinities
       R"({"interval":"f32[] 3f800000","low":"f32[] 7fc00000","high":"f32[] 3f800000"})",
       R"({"interval":"f32[] 3f800000","low":"f32[] 3f800000","high":"f32[] 7fc00000"})",
       R"({"interval":"f32[] 3f800000","low":"f32[] 7fc00000","high":"f32[] 7fc00000"})",
       R"({"interval":"f32[] 7fc00000","low":"f32[] 7fc00000","high":"f32[] 7f800000"})",
       // lists of ranges that hold none, or more than a set can
       R"({"interval":"f32[] 3f800000","low":"f32[] 3f800000","high":"f32[] 3f800000","also":[]})",
       R"({"interval":"s8[] 00","low":"s8[] 00","high":"s8[] 00","also":[{"low":"s8[] 02","high":"s8[] 02"},{"low":"s8[] 04","high":"s8[] 04"},{"low":"s8[] 06","high":"s8[] 06"},{"low":"s8[] 08","high":"s8[] 08"}]})",
       // a NaN of its own that is a number
       R"({"interval":"f32[] 3f800000","low":"f32[] 3f800000","high":"f32[] 3f800000","nans":"s"})",
       // NaNs of types without any
       R"({"interval":"s8[] 00","low":"s8[] 00","high":"s8[] 01","nans":"1"})",
       R"({"interval":"f4e2m1fn[] 0","low":"f4e2m1fn[] 0","high":"f4e2m1fn[] 1","nans":"1"})"}) {
    EXPECT_EQ(rule_of_set(set), "vectors.case:7") << set;
  }
}

TEST(Case, TakesNanAsAnEndWhereItMeansSomething) {
  for (
      const std::string_view set :
      {R"({"interval":"f32[2] 3f800000 7fc00000","low":"f32[2] 3f800000 7fc00000","high":"f32[2] 3f800000 7fc00000"})",
       R"({"interval":"f8e4m3fn[] 38","low":"f8e4m3fn[] 7f","high":"f8e4m3fn[] 38"})",
       R"({"interval":"f8e4m3fn[] 7f","low":"f8e4m3fn[] 7f","high":"f8e4m3fn[] 7f"})",
       R"({"interval":"f32[] 00000000","low":"f32[] 80000000","high":"f32[] 00000000"})"}) {
    EXPECT_EQ(rule_of_set(set), "") << set;
  }
}

TEST(Case, RefusesLabelsAndReasonsThatMeanNothing) {
  const std::string_view sets =
      R"([{"bits":"f32[2] 3f800000*2","nan":"same"}])";
  for (const std::string label : {"pad", "pad.", ".C4", "Pad.C4", "pad.C 4",
                                  "pad C4", "pad.C4 ", "1pad.C4"}) {
    EXPECT_EQ(rule_of(with(sets, R"({"rejected":")" + label + "\"}")),
              "vectors.case:7")
        << label;
  }
  for (const std::string label : {"pad.C4", "all-gather.C5", "text.shape-x"}) {
    EXPECT_EQ(rule_of(with(sets, R"({"rejected":")" + label + "\"}")), "")
        << label;
  }
  for (const std::string why :
       {R"(["A","A"])", R"(["a"])", R"(["A b"])", R"([""])"}) {
    EXPECT_EQ(rule_of(with(R"(["A"])", why)), "vectors.case:7") << why;
  }
}

std::string header_rule(std::string_view text) {
  try {
    parse_header(text);
  } catch (const Error& error) {
    return error.rule() + ":" + std::to_string(error.location().line);
  }
  return "";
}

TEST(Vectors, RefuseHeadersThatMeanNothing) {
  EXPECT_EQ(header_rule(kHeader), "");
  const std::string header(kHeader);
  for (const std::string_view other :
       {R"("do_not_edit":false)", R"("do_not_edit":1)",
        R"("do_not_edit":"")"}) {
    std::string text = header;
    text.replace(text.find(R"("do_not_edit":true)"), 18, other);
    EXPECT_EQ(header_rule(text), "vectors.header:1") << text;
  }
  for (
      const std::string_view text :
      {R"({"generator":"g","command":"c","notes":{"A":"a note"}})",
       R"({"generator":"g","command":"c","notes":{"a":"a note"},"do_not_edit":true})",
       R"({"generator":"g","command":"c","notes":{"A":""},"do_not_edit":true})",
       R"({"generator":"g","command":"c","notes":[],"do_not_edit":true})",
       R"({"generator":"","command":"c","notes":{},"do_not_edit":true})"}) {
    EXPECT_EQ(header_rule(text), "vectors.header:1") << text;
  }
}

TEST(Vectors, SayWhereAndWhatIsNotJson) {
  const auto message = [](std::string_view text) -> std::string {
    try {
      parse_case(text, "f", 7);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(R"({"id": x})"),
            "7:8: vectors.json: 'x}' stands where the text is no JSON, but "
            "each line must be a JSON object");
  EXPECT_EQ(message(R"({"id":"a)"),
            "7:9: vectors.json: the line ends where the text is no JSON, but "
            "each line must be a JSON object");
  EXPECT_EQ(message("{\"id\":1e999}").find("json.exception"),
            std::string::npos);
  EXPECT_NE(message("{\"id\":1e999}"), "");
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

TEST(Vectors, PointAtSecondIdsAndUnknownFlags) {
  const auto column = [](const std::string& lines) {
    try {
      parse_vectors(std::string(kHeader) + "\n" + lines, "f");
    } catch (const Error& error) {
      return error.location().column;
    }
    return 0;
  };
  const std::string flags = with(R"(["A"])", R"(["A","B"])");
  EXPECT_EQ(column(flags), static_cast<int>(flags.find(R"("B")")) + 1);
  const std::string twice = std::string(kCase) + "\n" + std::string(kCase);
  EXPECT_EQ(column(twice), static_cast<int>(kCase.find(R"("pad/)")) + 1);
}

/// The rule that a file of `count` cases breaks, each with an input of 2^20
/// elements, but the last with one of `last`.
std::string rule_of_large(int count, int last = 1 << 20) {
  std::string text(kHeader);
  for (int i = 0; i < count; ++i) {
    std::string line(kCase);
    const std::string size = std::to_string(i + 1 < count ? 1 << 20 : last);
    line.replace(line.find("f32[2] 3f800000 7fc00000"), 24,
                 "u8[" + size + "] 00*" + size);
    line.replace(line.find("/x"), 2, "/x" + std::to_string(i));
    text += "\n" + line;
  }
  try {
    parse_vectors(text, "f");
  } catch (const Error& error) {
    return error.rule() + ":" + std::to_string(error.location().line);
  }
  return "";
}

TEST(Vectors, HaveNoMoreElementsThanFitIntoMemory) {
  // Results count too: 16 of two elements each.
  EXPECT_EQ(rule_of_large(16, (1 << 20) - 32), "");
  EXPECT_EQ(rule_of_large(16, (1 << 20) - 31), "vectors.size:17");
  EXPECT_EQ(bits_rule("u8[16777216] 00*16777216"), "u8[16777216] 00*16777216");
  EXPECT_EQ(bits_rule("u8[16777217] 00*16777217"), "vectors.literal");
}

}  // namespace
}  // namespace hlo::conformance
