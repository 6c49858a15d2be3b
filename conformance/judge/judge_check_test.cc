#include "conformance/judge/judge_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "interpreter/rules/attributes/declared_check.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

CheckOutcome outcome(const std::string& target, const std::string& computed,
                     const std::string& expected,
                     const std::string& config = "") {
  const std::vector<Literal> operands{text::parse_literal_with_shape(computed),
                                      text::parse_literal_with_shape(expected)};
  const Module module = text::parse(fmt::format(
      "HloModule m\nENTRY main {{\na = {0} parameter(0)\nb = {1} parameter(1)\n"
      "ROOT r = () custom-call(a, b), custom_call_target=\"{2}\"{3}\n}}",
      to_string(operands[0].shape()), to_string(operands[1].shape()), target,
      config.empty() ? "" : ", backend_config=" + config));
  EXPECT_TRUE(is_declared_check(*module.entry->root));
  return judge_check(*module.entry->root, operands);
}

constexpr CheckVerdict kBitEqual = CheckVerdict::kBitEqual;
constexpr CheckVerdict kWithin = CheckVerdict::kWithin;
constexpr CheckVerdict kMismatch = CheckVerdict::kMismatch;

struct Row {
  const char* target;
  const char* computed;
  const char* expected;
  CheckVerdict verdict;
};

// In f32 the codes behind 1 are 1 + k 2^-23; those before it 1 - k 2^-24.
constexpr Row kRows[] = {
    {"check.expect_eq", "s32[2] {1, 2}", "s32[2] {1, 2}", kBitEqual},
    {"check.expect_eq", "s32[2] {1, 2}", "s32[2] {1, 3}", kMismatch},
    {"check.expect_eq", "f32[] nan", "f32[] nan", kBitEqual},
    {"check.expect_eq", "f32[] nan(0x400001)", "f32[] -nan", kWithin},
    {"check.expect_eq", "f32[] nan", "f32[] 0", kMismatch},
    {"check.expect_eq", "f32[] -0", "f32[] 0", kWithin},
    {"check.expect_eq", "f32[] 1.00000012", "f32[] 1", kMismatch},
    {"check.expect_eq", "c64[] (1, -0)", "c64[] (1, 0)", kWithin},
    {"check.expect_eq", "c64[] (1, 2)", "c64[] (1, 3)", kMismatch},
    {"check.expect_close", "f32[] 1.00000036", "f32[] 1", kWithin},
    {"check.expect_close", "f32[] 1.00000048", "f32[] 1", kMismatch},
    {"check.expect_close", "f32[] 1e-45", "f32[] -3e-45", kWithin},
    {"check.expect_close", "f32[] 3e-45", "f32[] -3e-45", kMismatch},
    {"check.expect_close", "f32[] inf", "f32[] 3.4028235e38", kMismatch},
    {"check.expect_close", "s32[] 1", "s32[] 2", kMismatch},
    // 2^53 + 1 and 2^53, which are one double.
    {"check.expect_eq", "s64[] 9007199254740993", "s64[] 9007199254740992",
     kMismatch},
    {"check.expect_almost_eq", "f64[] 1.0009", "f64[] 1", kWithin},
    {"check.expect_almost_eq", "f64[] 1.0011", "f64[] 1", kMismatch},
    {"check.expect_almost_eq", "f32[] inf", "f32[] inf", kBitEqual},
    {"check.expect_almost_eq", "f32[] inf", "f32[] -inf", kMismatch},
    {"check.expect_almost_eq", "f32[] nan", "f32[] 1", kMismatch},
};

TEST(DeclaredCheck, SaysWhatTheTargetDeclares) {
  for (const Row& row : kRows) {
    EXPECT_EQ(outcome(row.target, row.computed, row.expected).verdict,
              row.verdict)
        << row.target << " " << row.computed << " " << row.expected;
  }
}

TEST(DeclaredCheck, TakesTheToleranceOfTheCall) {
  EXPECT_EQ(outcome("check.expect_almost_eq", "f32[] 1.25", "f32[] 1",
                    R"({"tolerance":0.25})")
                .verdict,
            kWithin);
  EXPECT_EQ(outcome("check.expect_close", "f32[] 1.00000012", "f32[] 1",
                    R"({"max_ulp_difference":0})")
                .verdict,
            kMismatch);
}

// Integers are off by whole numbers, of which a tolerance of 1 takes one.
TEST(DeclaredCheck, TakesTheToleranceOfTheCallForIntegers) {
  const auto verdict = [](const char* computed, const char* tolerance) {
    return outcome("check.expect_almost_eq", computed, "s32[] 1",
                   fmt::format(R"({{"tolerance":{}}})", tolerance))
        .verdict;
  };
  EXPECT_EQ(verdict("s32[] 2", "1"), kWithin);
  EXPECT_EQ(verdict("s32[] 0", "1"), kWithin);
  EXPECT_EQ(verdict("s32[] 3", "1"), kMismatch);
  EXPECT_EQ(verdict("s32[] 2", "0.5"), kMismatch);
}

TEST(DeclaredCheck, MayAskForADifference) {
  const char* config = R"({"max_ulp_difference":1,"min_ulp_difference":1})";
  EXPECT_EQ(outcome("check.expect_close", "f32[] 1.00000012", "f32[] 1", config)
                .verdict,
            kWithin);
  EXPECT_EQ(outcome("check.expect_close", "f32[] 1", "f32[] 1", config).verdict,
            kMismatch);
}

TEST(DeclaredCheck, CountsAndShowsTheFirstElementOutside) {
  const CheckOutcome found =
      outcome("check.expect_close", "f32[2,2] {{1.00000012, 1}, {1, 3}}",
              "f32[2,2] {{1, 1}, {1, 2}}");
  EXPECT_EQ(found.differing, 2);
  EXPECT_EQ(found.mismatching, 1);
  EXPECT_EQ(describe(found),
            "check.expect_close: mismatch: 1 of 4 elements differs, first at "
            "[1,1]: computed 3 (40400000), expected 2 (40000000)");
}

// 2^24 + 1 + 1 is 2^24 + 2; added from the left in f32 it is 2^24.
TEST(DeclaredCheck, SaysWhereTheOperationMayReturnWhatIsExpected) {
  const Module module = verified_module(R"(
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY main {
  x = f32[3] constant({16777216, 1, 1})
  zero = f32[] constant(0)
  sum = f32[] reduce(x, zero), dimensions={0}, to_apply=add
  gold = f32[] constant(16777216)
  wrong = f32[] constant(16777000)
  c1 = () custom-call(sum, gold), custom_call_target="check.expect_eq"
  ROOT c2 = () custom-call(sum, wrong), custom_call_target="check.expect_eq"
})");
  const CheckedRun checked = evaluate_with_checks(module, {{}}, {});
  ASSERT_EQ(checked.outcomes.size(), 2U);
  EXPECT_EQ(checked.outcomes[0].verdict, kMismatch);
  EXPECT_EQ(checked.outcomes[0].admitted_by, "reduce");
  EXPECT_EQ(checked.outcomes[1].admitted_by, "");
}

/// Which operation may return what the second operand of the program's only
/// check has.
std::string admitted_by(const std::string& instructions) {
  const Module module = verified_module(
      "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] "
      "add(a, b) }\nENTRY main {\n  x = f32[3] constant({16777216, 1, 1})\n"
      "  zero = f32[] constant(0)\n  one = f32[] constant(1)\n" +
      instructions +
      "  ROOT c = () custom-call(y, gold), "
      "custom_call_target=\"check.expect_eq\"\n}");
  return evaluate_with_checks(module, {{}}, {}).outcomes.at(0).admitted_by;
}

// e is 2.7182817 in f32, and 2.718282 the code after it.
TEST(DeclaredCheck, TellsRoundedFunctionsApartFromWhatOnlyMovesTheirResult) {
  EXPECT_EQ(admitted_by("  y = f32[] exponential(one)\n"
                        "  gold = f32[] constant(2.718282)\n"),
            "exponential");
  EXPECT_EQ(admitted_by("  s = f32[] reduce(x, zero), dimensions={0}, "
                        "to_apply=add\n  y = f32[] copy(s)\n"
                        "  gold = f32[] constant(16777216)\n"),
            "reduce");
  EXPECT_EQ(admitted_by("  y = f32[] add(one, one)\n"
                        "  gold = f32[] constant(2.0000002)\n"),
            "");
}

// The probe meets one value: there is no second one, and none of that name.
TEST(DeclaredCheck, ComparesWithWhatProbesHaveMet) {
  const auto said = [](const std::string& config, const std::string& shape) {
    const Module module = verified_module(fmt::format(
        "HloModule m\nENTRY main {{\n"
        "x = s32[2] constant({{1, 2}})\n"
        "p = s32[2] custom-call(x), custom_call_target=\"interpreter.probe\", "
        "backend_config={{\"probe_id\":\"a\"}}\n"
        "y = {} constant({{1, 3}})\n"
        "ROOT r = () custom-call(y), "
        "custom_call_target=\"check.expect_serialized_eq\", "
        "backend_config={}\n}}",
        shape, config));
    const CheckedRun run = evaluate_with_checks(module, {{}}, {});
    return describe(run.outcomes.at(0));
  };
  EXPECT_EQ(said(R"({"probe_id":"a"})", "s32[2]"),
            "check.expect_serialized_eq: mismatch: 1 of 2 elements differs, "
            "first at [1]: computed 2 (00000002), expected 3 (00000003)");
  const std::string missing =
      "check.expect_serialized_eq: mismatch: the probe \"{}\" has not met that "
      "value of this shape";
  EXPECT_EQ(said(R"({"probe_id":"a","iteration":1})", "s32[2]"),
            fmt::format(fmt::runtime(missing), "a"));
  EXPECT_EQ(said(R"({"probe_id":"b"})", "s32[2]"),
            fmt::format(fmt::runtime(missing), "b"));
  EXPECT_EQ(said(R"({"probe_id":"a"})", "s64[2]"),
            fmt::format(fmt::runtime(missing), "a"));
}

}  // namespace
}  // namespace hlo::conformance
