#include "conformance/judge/golden.h"

#include <gtest/gtest.h>

#include <string>

#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

const std::string kHead =
    R"({"generator":"g","command":"c","notes":{"A":"a"},"do_not_edit":true})";

/// A case of one instruction of the parameter f32[2] x.
std::string line(const std::string& id, const std::string& instruction,
                 const std::string& expect) {
  return R"({"id":")" + id +
         R"(","statement":"s","why":["A"],"hlo":"HloModule m\n\nENTRY e {\n)"
         R"(  x = f32[2] parameter(0)\n  ROOT r = )" +
         instruction + R"(\n}\n","inputs":["f32[2] 3f800000 40000000"],)" +
         R"("expect":)" + expect + R"(,"source":"reference"})";
}

std::string file_of(const std::string& line) {
  return kHead + "\n" + line + "\n";
}

/// The stated set of one array.
std::string bits(const std::string& elements) {
  return R"([{"bits":"f32[2] )" + elements + R"(","nan":"any"}])";
}

const std::string kNegated = bits("bf800000 c0000000");

Error error_of_blessing(const std::string& instruction) {
  try {
    bless(file_of(line("a/f32/b", instruction, "\"reference\"")), "v.jsonl");
  } catch (const Error& error) {
    return error;
  }
  return {Phase::kEvaluate, "none.none", "blessed"};
}

TEST(Golden, BlessFillsInWhatIsAskedFor) {
  EXPECT_EQ(bless(file_of(line("a/f32/b", "f32[2] negate(x)", "\"reference\"")),
                  "v.jsonl"),
            file_of(line("a/f32/b", "f32[2] negate(x)", kNegated)));
}

/// A file of a case of the first element of x, which is all that exists.
std::string file_of_one(const std::string& layout, const std::string& operation,
                        const std::string& expect) {
  std::string whole = line("a/f32/b", "f32[2] negate(x)", expect);
  const std::string root = "ROOT r = f32[2] negate(x)";
  return file_of(whole.replace(
      whole.find(root), root.size(),
      "n = s32[] constant(1)\\n  d = f32[<=2] set-dimension-size(x, n), "
      "dimensions={0}\\n  ROOT r = f32[<=2]" +
          layout + " " + operation + "(d)"));
}

// Whoever certifies must be told, also where a case that is not certified
// follows.
TEST(Golden, BlessAsksWhoCertifies) {
  std::string certified = line("a/f32/b", "f32[2] negate(x)", "\"reference\"");
  const std::string source = "\"source\":\"reference\"";
  certified.replace(certified.find(source), source.size(),
                    "\"source\":\"certified\"");
  const std::string other =
      line("a/f32/c", "f32[2] negate(x)", "\"reference\"");
  for (const std::string& cases :
       {certified + "\n" + other, other + "\n" + certified}) {
    try {
      bless(file_of(cases), "v.jsonl");
      ADD_FAILURE() << "blessed";
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), "usage.bless");
    }
  }
}

TEST(Golden, BlessTellsSizesOfRunTime) {
  const std::string negated =
      R"([{"bits":"f32[<=2](1) bf800000 00000000","nan":"any"}])";
  // e is 0x402df854.5..., of which tight grants two steps.
  const std::string raised =
      R"([{"interval":"f32[<=2](1) 402df854 00000000","low":"f32[<=2](1) 402df852 00000000","high":"f32[<=2](1) 402df856 00000000"}])";
  // With and without room for the sizes in front of the elements.
  for (const char* layout : {"", "{0:M(4)}"}) {
    EXPECT_EQ(bless(file_of_one(layout, "negate", "\"reference\""), "v.jsonl"),
              file_of_one(layout, "negate", negated));
    EXPECT_EQ(
        bless(file_of_one(layout, "exponential", "\"reference\""), "v.jsonl"),
        file_of_one(layout, "exponential", raised));
  }
}

TEST(Golden, BlessLeavesStatedValuesAlone) {
  const std::string wrong =
      file_of(line("a/f32/b", "f32[2] negate(x)", bits("00000000 00000000")));
  EXPECT_EQ(bless(wrong, "v.jsonl"), wrong);
  const std::string rejected = file_of(
      line("a/f32/b", "f32[2] negat(x)", R"({"rejected":"text.opcode"})"));
  EXPECT_EQ(bless(rejected, "v.jsonl"), rejected);
}

TEST(Golden, BlessRefusesProgramsThatAreRejected) {
  const Error misspelt = error_of_blessing("f32[2] negat(x)");
  EXPECT_EQ(misspelt.rule(), "text.opcode");
  const std::string& message = misspelt.message();
  EXPECT_EQ(message.find("v.jsonl:2: a/f32/b: "), 0U) << message;
  EXPECT_NE(message.find("line 5, column 19"), std::string::npos) << message;
  EXPECT_NE(message.find("\"rejected\""), std::string::npos) << message;
  EXPECT_EQ(error_of_blessing("f32[3] slice(x), slice={[0:3]}").rule(),
            "slice.C2");
}

TEST(Golden, VerifyTakesStatedRejections) {
  const auto problem = [](const std::string& rule) {
    const std::string text =
        line("a/f32/b", "f32[2] negat(x)", R"({"rejected":")" + rule + R"("})");
    return verify_golden(parse_case(text, "v.jsonl", 2));
  };
  EXPECT_EQ(problem("text.opcode"), "");
  EXPECT_NE(problem("text.name"), "");
}

TEST(Golden, VerifyWantsTheValuesOfTheReference) {
  const auto problem = [](const std::string& expect) {
    const std::string text = line("a/f32/b", "f32[2] negate(x)", expect);
    return verify_golden(parse_case(text, "v.jsonl", 2));
  };
  EXPECT_EQ(problem(kNegated), "");
  EXPECT_NE(problem(bits("bf800000 c0000001")), "");
  EXPECT_EQ(problem("\"reference\""), "it is not blessed yet");
}

}  // namespace
}  // namespace hlo::conformance
