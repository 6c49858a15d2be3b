#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "conformance/audit/audit.h"
#include "conformance/audit/testing/doubles.h"

namespace hlo::conformance {
namespace {

TEST(Audit, SaysWhatIsOutsideInEveryRun) {
  const AuditedProgram program =
      audited(sum(), [](const Ran&, Leaves& results) { nudge(results); },
              {.compilations = 0});
  EXPECT_EQ(program.steadiness, Steadiness::kOutside);
  EXPECT_EQ(program.verdict, Verdict::kDiffers);
  EXPECT_NE(program.message, "");
}

TEST(Audit, LetsRandomNumbersVaryFromRunToRun) {
  const Case c = case_of({R"(HloModule t
ENTRY main {
  low = f32[] parameter(0)
  high = f32[] parameter(1)
  ROOT r = f32[4] rng(low, high), distribution=rng_uniform
}
)",
                          {text::parse_literal_with_shape("f32[] 1"),
                           text::parse_literal_with_shape("f32[] 2")}},
                         {});
  const AuditedProgram program =
      audited(c, [](const Ran& ran, Leaves& results) {
        if (ran.calls % 2 == 1) nudge(results);
      });
  EXPECT_EQ(causes(program), Names{"run"});
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
  EXPECT_EQ(program.findings[0].message, "rng draws numbers");
}

Case updates(const std::string& promise) {
  return case_of({R"(HloModule t
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[2] parameter(0)
  i = s32[3] constant({0, 0, 0})
  u = f32[3] parameter(1)
  ROOT r = f32[2] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1)" +
                      promise + R"(, to_apply=add
}
)",
                  {text::parse_literal_with_shape("f32[2] {1, 1}"),
                   text::parse_literal_with_shape("f32[3] {0.1, 0.3, 0.7}")}},
                 {});
}

TEST(Audit, LetsUpdatesComeInAnyOrderUnlessTheyAreUnique) {
  const Habit by_call = [](const Ran& ran, Leaves& results) {
    if (ran.calls % 2 == 1) nudge(results);
  };
  const AuditedProgram program = audited(updates(""), by_call);
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
  EXPECT_EQ(program.findings.at(0).message,
            "scatter joins updates in any order");
  EXPECT_EQ(audited(updates(", unique_indices=true"), by_call).steadiness,
            Steadiness::kNotDeterministic);
}

TEST(Audit, GoesOnWhereABackendTakesNoBatch) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran&, Leaves& results) {
        if (rows_of(results) > 0) {
          throw Failure{.kind = Failure::Kind::kUnsupported,
                        .rule = "",
                        .message = "one dimension only"};
        }
      });
  EXPECT_EQ(program.steadiness, Steadiness::kSteady);
  EXPECT_EQ(trials(program, Cause::kBatch), 0);
  EXPECT_GT(trials(program, Cause::kPosition), 0);
}

TEST(Audit, TellsACrashByWhatMadeIt) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran&, Leaves& results) {
        if (rows_of(results) == 17) throw std::runtime_error("17 rows");
      });
  EXPECT_EQ(program.steadiness, Steadiness::kBroken);
  ASSERT_FALSE(program.findings.empty());
  EXPECT_EQ(program.findings[0].cause, Cause::kBatch);
  EXPECT_NE(program.findings[0].variation.failure.find("17 rows"),
            std::string::npos);
}

TEST(Audit, EndsAtAnUnsupportedProgram) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran&, Leaves&) {
        throw Failure{
            .kind = Failure::Kind::kUnsupported, .rule = "", .message = "no"};
      });
  EXPECT_EQ(program.steadiness, Steadiness::kUnsupported);
  EXPECT_EQ(trials(program, Cause::kRun), 1);
}

TEST(Audit, LeavesABackendBehindThatDoesNotAnswer) {
  const AuditedProgram program = audited(
      exponential(),
      [] {
        return std::make_unique<Double>([](const Ran&, Leaves& results) {
          if (rows_of(results) == 1) {
            std::this_thread::sleep_for(std::chrono::milliseconds(700));
          }
        });
      },
      {.most = Seconds(0.2)});
  EXPECT_EQ(program.steadiness, Steadiness::kBroken);
  ASSERT_FALSE(program.findings.empty());
  EXPECT_EQ(program.findings[0].cause, Cause::kRank);
  EXPECT_EQ(program.findings[0].variation.failure, "no answer within 0.2 s");
}

TEST(Audit, HoldsNothingAgainstWhatLiesPastTheSizes) {
  const Case c =
      case_of({R"(HloModule t
ENTRY main {
  x = s32[4] parameter(0)
  n = s32[] constant(2)
  ROOT r = s32[<=4] set-dimension-size(x, n), dimensions={0}
}
)",
               {text::parse_literal_with_shape("s32[4] {1, 2, 3, 4}")}},
              {});
  const auto spoil = [](int64_t i) {
    return [i](const Ran& ran, Leaves& results) {
      if (ran.calls % 2 == 1) nudge(results.at(0), i);
    };
  };
  EXPECT_EQ(audited(c, spoil(3)).steadiness, Steadiness::kSteady);
  EXPECT_NE(audited(c, spoil(1)).steadiness, Steadiness::kSteady);
}

}  // namespace
}  // namespace hlo::conformance
