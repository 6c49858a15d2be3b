#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "conformance/commands/run_explain.h"
#include "conformance/commands/testing/commands.h"
#include "conformance/layout/layout_text.h"
#include "conformance/report/exit_code.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

class ExplainOnBackend : public Commands {
 protected:
  Outcome told(const std::string& program, const std::string& element,
               const std::string& backend = "tpu:") {
    options_.file = make("p.hlo", program);
    options_.element = element;
    options_.backend = backend;
    return capture([&] { return run_explain(options_); });
  }

  ExplainOptions options_;
};

/// "slot 17: bytes 68 to 71" where `assay layout` says "is in slot 17: ...".
std::string place_in(const std::string& shape, const Index& index) {
  const std::string text =
      describe_element(Memory(text::parse_shape(shape)), index);
  const size_t begin = text.find("slot ");
  return text.substr(begin, text.find(" of ", begin) - begin);
}

TEST_F(ExplainOnBackend, RefusesOptionsOfTheReference) {
  const std::string program =
      "ENTRY main { ROOT x = f32[2] iota(), iota_dimension=0 }";
  const auto refusal = [&](const std::string& option) {
    const Outcome outcome = told(program, "%x[0]");
    EXPECT_NE(outcome.code, kConforms) << option;
    return outcome.err.find("usage.option: " + option) != std::string::npos;
  };
  options_.all = true;
  EXPECT_TRUE(refusal("--all is given"));
  options_.all = false;
  options_.terms = 3;
  EXPECT_TRUE(refusal("--terms is 3"));
  options_.terms = ExplainOptions{}.terms;
  options_.plans = "none";
  EXPECT_TRUE(refusal("--plans is none"));
  options_.plans = ExplainOptions{}.plans;

  options_.all = true;
  EXPECT_TRUE(refusal("--all is given"));
}

// By the arithmetic of `assay layout`, which is another one.
TEST_F(ExplainOnBackend, FindsTheSlotsThatLayoutsHave) {
  for (const char* const shape :
       {"f32[7,130]{0,1}", "f32[7,130]{1,0:T(8,128)}",
        "f32[7,130]{0,1:T(2,128)}", "bf16[7,130]{1,0:T(8,128)(2,1)}",
        "s8[7,130]{1,0:T(8,128)(4,1)}", "s4[7,130]{1,0:T(8,128)(8,1)E(4)}",
        "f32[7,130]{1,0:T(*,4)}", "s16[7,130]{1,0:T(3,5)E(32)}"}) {
    for (const Index& index : {Index{0, 0}, Index{6, 129}, Index{5, 128}}) {
      const std::string at =
          "[" + std::to_string(index[0]) + "," + std::to_string(index[1]) + "]";
      const Outcome outcome =
          told("ENTRY main {\n  ROOT x = " + std::string(shape) +
                   " iota(), iota_dimension=0\n}\n",
               "%x" + at);
      EXPECT_EQ(outcome.code, kConforms) << outcome.err;
      EXPECT_NE(outcome.out.find("  " + place_in(shape, index) + ","),
                std::string::npos)
          << outcome.out << place_in(shape, index);
      EXPECT_NE(outcome.out.find("%x" + at + " = " + std::to_string(index[0])),
                std::string::npos)
          << outcome.out;
    }
  }
}

constexpr const char* kLoop = R"(HloModule m, replica_count=2

condition {
  i = u32[] parameter(0)
  three = u32[] constant(3)
  ROOT r = pred[] compare(i, three), direction=LT
}

body {
  i = u32[] parameter(0)
  one = u32[] constant(1)
  ROOT n = u32[] add(i, one)
}

ENTRY main {
  id = u32[] replica-id()
  ROOT w = u32[] while(id), condition=condition, body=body
}
)";

// Device 0 counts 1, 2, 3, device 1 counts 2, 3.
TEST_F(ExplainOnBackend, TellsOfEachRunOnEachDevice) {
  options_.run = 2;
  EXPECT_NE(told(kLoop, "%n[]").out.find("%n[] = 2 ("), std::string::npos);
  options_.device = {1};
  EXPECT_NE(told(kLoop, "%n[]").out.find("%n[] = 3 ("), std::string::npos);
  options_.run = 3;
  const Outcome outcome = told(kLoop, "%n[]");
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_NE(outcome.err.find("explain.run: %n runs 2 times"), std::string::npos)
      << outcome.err;
  options_.device = {2};
  EXPECT_NE(told(kLoop, "%n[]").err.find("explain.device: replica 2"),
            std::string::npos);
}

// Device 0 adds three times; the last sum is that of the one before.
TEST_F(ExplainOnBackend, GoesBackThroughRunsOfALoop) {
  options_.depth = 4;
  const std::string text = told(kLoop, "%w[]").out;
  size_t at = 0;
  for (const std::string line :
       {"\n  made by %n (add)\n", "\n      register 0 of %i at ",
        " was made by %n (add)\n", "\n          register 0 of %i at ",
        " was made by %n (add)\n", "\n              register 0 of %i at ",
        " was made by %id (replica-id)\n"}) {
    at = text.find(line, at);
    ASSERT_NE(at, std::string::npos) << line << text;
  }
}

// The runs of its body are more than the record keeps.
TEST_F(ExplainOnBackend, TellsOfALongLoop) {
  std::string loop = kLoop;
  loop.replace(loop.find("constant(3)"), 11, "constant(60000)");
  const Outcome outcome = told(loop, "%w[]");
  EXPECT_NE(outcome.out.find("%w[] = 60000 ("), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("made by %n (add)\n"), std::string::npos)
      << outcome.out;
}

TEST_F(ExplainOnBackend, GoesAHundredInstructionsBackAtMost) {
  options_.depth = 101;
  EXPECT_NE(told(kLoop, "%w[]").err.find("explain.depth: --depth is 101"),
            std::string::npos);
}

// A program has it from its caller, an array in a tuple from who stored it.
TEST_F(ExplainOnBackend, TellsOfArgumentsAndOfElementsOfTuples) {
  const std::string program =
      "ENTRY main { x = f32[3] parameter(0) y = f32[3] negate(x) "
      "ROOT t = (f32[3], f32[3]) tuple(x, y) }";
  options_.inputs = {"f32[3] {1, 2, 3}"};
  EXPECT_NE(told(program, "%t{0}[1]")
                .out.find("  no operation made it: it was given to the "
                          "program\n"),
            std::string::npos);
  EXPECT_NE(told(program, "%t{1}[1]").out.find("  made by %y (negate)\n"),
            std::string::npos);
}

TEST_F(ExplainOnBackend, SaysWhoTellsNothing) {
  const Outcome outcome = told(kLoop, "%n[]", "cpu:");
  EXPECT_EQ(outcome.code, kNothing);
  EXPECT_NE(outcome.err.find("cpu: does not tell where elements lie"),
            std::string::npos);
}

TEST_F(ExplainOnBackend, EndsWhereTheWorkDoes) {
  options_.max_work = 1;
  EXPECT_NE(told(kLoop, "%w[]").code, kConforms);
}

}  // namespace
}  // namespace hlo::conformance
