#include "conformance/audit/audit.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/audit/batched.h"
#include "conformance/audit/testing/doubles.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

TEST(Audit, FindsASteadyBackendSteady) {
  for (const Case& c : {exponential(), sum(), product()}) {
    const AuditedProgram program = audited(c, [](const Ran&, Leaves&) {});
    EXPECT_EQ(program.steadiness, Steadiness::kSteady) << c.hlo;
    EXPECT_TRUE(program.findings.empty());
    EXPECT_EQ(trials(program, Cause::kRun), 5);
    EXPECT_GT(trials(program, Cause::kBatch), 0) << c.hlo;
    EXPECT_GT(trials(program, Cause::kConstants), 0) << c.hlo;
  }
  EXPECT_GT(trials(audited(exponential(), [](const Ran&, Leaves&) {}),
                   Cause::kPosition),
            0);
}

bool has_constant(const Module& module) {
  for (const auto& one : module.entry->instructions) {
    if (one->op->form == Form::kConstant) return true;
  }
  return false;
}

Case exponential_of_a_constant() {
  return case_of({R"(HloModule t
ENTRY main {
  x = f32[5] constant({1, 2, 3, 4, 5.5})
  ROOT r = f32[5] exponential(x)
}
)",
                  {}},
                 {});
}

TEST(Audit, NamesParametersOnceWhereOthersNeedThem) {
  const AuditedProgram program =
      audited(exponential_of_a_constant(), [](const Ran& ran, Leaves& results) {
        if (has_constant(ran.module)) return;
        const int64_t count = results.at(0).element_count();
        for (int64_t i = 0; i < count; ++i) nudge(results[0], i);
      });
  EXPECT_EQ(causes(program), Names{"parameters"});
}

TEST(Audit, GivesRowsToConstantsOfAProgramWithoutParameters) {
  const AuditedProgram program =
      audited(exponential_of_a_constant(), [](const Ran&, Leaves&) {});
  EXPECT_EQ(program.steadiness, Steadiness::kSteady);
  EXPECT_GT(trials(program, Cause::kBatch), 0);
  EXPECT_GT(trials(program, Cause::kPosition), 0);
}

TEST(Audit, NamesRunsThatDiffer) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran& ran, Leaves& results) {
        if (ran.calls % 2 == 1) nudge(results);
      });
  EXPECT_EQ(program.steadiness, Steadiness::kNotDeterministic);
  EXPECT_EQ(causes(program), Names{"run"});
  EXPECT_EQ(program.findings[0].variation.elements, 1);
  EXPECT_EQ(program.findings[0].variation.bits, std::vector<uint64_t>{1});
}

TEST(Audit, NamesARefusalOfWhatRanBefore) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran& ran, Leaves&) {
        if (ran.calls % 2 == 1) {
          throw Failure{Failure::Kind::kUnsupported, "", "not again"};
        }
      });
  EXPECT_EQ(program.steadiness, Steadiness::kOutside);
}

TEST(Audit, TakesARareRunForNothingElse) {
  for (const int rare : {6, 7, 9, 10, 11, 13, 15, 17, 19, 22}) {
    const AuditedProgram program =
        audited(exponential(), [&](const Ran& ran, Leaves& results) {
          if (ran.calls != rare) return;
          const int64_t count = results.at(0).element_count();
          for (int64_t i = 0; i < count; ++i) nudge(results[0], i);
        });
    EXPECT_EQ(program.steadiness, Steadiness::kNotDeterministic) << rare;
    EXPECT_EQ(causes(program), Names{"run"}) << rare;
  }
}

TEST(Audit, NamesCallsAtOnce) {
  const AuditedProgram program =
      audited(exponential(),
              [] {
                return std::make_unique<Double>(
                    [](const Ran& ran, Leaves& results) {
                      if (ran.calls == 2) nudge(results);
                    },
                    /*spoils_groups=*/true);
              },
              {.runs = 2});
  EXPECT_EQ(causes(program), Names{"together"});
  EXPECT_EQ(program.steadiness, Steadiness::kNotDeterministic);
}

TEST(Audit, NamesCompilations) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran& ran, Leaves& results) {
        if (ran.module.name.ends_with("_2")) nudge(results);
      });
  EXPECT_EQ(causes(program), Names{"compilation"});
  EXPECT_EQ(program.steadiness, Steadiness::kNotDeterministic);
}

TEST(Audit, NamesStarts) {
  int starts = 0;
  const AuditedProgram program =
      audited(exponential(),
              [&] {
                const bool is_other = ++starts > 1;
                return std::make_unique<Double>(
                    [is_other](const Ran&, Leaves& results) {
                      if (is_other) nudge(results);
                    });
              },
              {});
  EXPECT_EQ(causes(program), Names{"start"});
  EXPECT_EQ(program.steadiness, Steadiness::kNotDeterministic);
}

Setting setting(Cause cause, const Habit& habit) {
  return {cause, "other", [habit] { return std::make_unique<Double>(habit); }};
}

TEST(Audit, NamesThreadsAndSettings) {
  const Habit always = [](const Ran&, Leaves& results) { nudge(results); };
  for (const Cause cause : {Cause::kThreads, Cause::kSetting}) {
    const AuditedProgram program =
        audited(exponential(), [](const Ran&, Leaves&) {},
                {.settings = {setting(cause, always)}});
    EXPECT_EQ(causes(program), Names{std::string(name(cause))});
    EXPECT_EQ(program.steadiness, Steadiness::kVaries);
    EXPECT_EQ(program.findings[0].variation.steps, 1);
  }
}

TEST(Audit, NamesRunsThatDifferOnManyThreads) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran&, Leaves&) {},
              {.settings = {setting(Cause::kThreads,
                                    [](const Ran& ran, Leaves& results) {
                                      if (ran.calls % 2 == 0) nudge(results);
                                    })}});
  EXPECT_EQ(causes(program), Names{"run"});
  EXPECT_EQ(program.findings[0].what, "runs with other");
  EXPECT_EQ(program.steadiness, Steadiness::kNotDeterministic);
}

TEST(Audit, NamesPlacesOfArguments) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran& ran, Leaves& results) {
        if (ran.arguments.empty()) return;
        const auto at =
            reinterpret_cast<uintptr_t>(ran.arguments.front().bytes.data());
        if (at % 64 == 32) nudge(results);
      });
  ASSERT_FALSE(program.findings.empty());
  EXPECT_EQ(program.findings[0].cause, Cause::kAlignment);
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
}

TEST(Audit, NamesConstants) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran& ran, Leaves& results) {
        if (has_constant(ran.module)) nudge(results);
      });
  EXPECT_EQ(causes(program), Names{"constants"});
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
}

TEST(Audit, SaysThatAnExactResultMustNotVary) {
  const AuditedProgram program =
      audited(sum(), [](const Ran& ran, Leaves& results) {
        if (!has_constant(ran.module)) nudge(results);
      });
  EXPECT_EQ(causes(program), Names{"parameters"});
  EXPECT_EQ(program.steadiness, Steadiness::kOutside);
  EXPECT_EQ(program.verdict, Verdict::kConforms);
  EXPECT_EQ(program.findings[0].verdict, Verdict::kDiffers);
}

TEST(Audit, NamesLayouts) {
  const AuditedProgram program =
      audited(product(), [](const Ran& ran, Leaves& results) {
        if (ran.arguments.empty()) return;
        const auto& layout = ran.arguments.front().shape.layout;
        if (layout && layout->minor_to_major == Ints{0, 1}) nudge(results);
      });
  EXPECT_EQ(causes(program), Names{"layout"});
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
}

TEST(Audit, NamesOneMoreDimension) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran&, Leaves& results) {
        for (int64_t row = 0; row < rows_of(results); ++row) {
          nudge_row(results, row);
        }
      });
  EXPECT_EQ(causes(program), Names{"rank"});
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
}

TEST(Audit, NamesTheSizeOfABatch) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran&, Leaves& results) {
        for (int64_t row = 0; rows_of(results) >= 3 && row < rows_of(results);
             ++row) {
          nudge_row(results, row);
        }
      });
  EXPECT_EQ(causes(program), Names{"batch"});
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
}

TEST(Audit, NamesThePlaceInABatch) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran&, Leaves& results) {
        if (rows_of(results) == 17) nudge_row(results, 16);
      });
  EXPECT_EQ(causes(program), Names{"position"});
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
}

TEST(Audit, NamesThePlaceInARow) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran&, Leaves& results) {
        if (rows_of(results) == 0) nudge(results.at(0), 4);  // a remainder
      });
  EXPECT_EQ(causes(program).at(0), "rank");
  EXPECT_EQ(causes(program).back(), "position");
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
}

TEST(Audit, NamesWhatStandsBeside) {
  const AuditedProgram program =
      audited(exponential(), [](const Ran& ran, Leaves& results) {
        const int64_t rows = rows_of(results);
        for (int64_t row = 1; row < rows; ++row) {
          if (!identical(row_of(ran.inputs[0], row),
                         row_of(ran.inputs[0], row - 1))) {
            nudge_row(results, row - 1);
            nudge_row(results, row);
            return;
          }
        }
      });
  EXPECT_EQ(causes(program), Names{"neighbours"});
  EXPECT_EQ(program.steadiness, Steadiness::kVaries);
}

}  // namespace
}  // namespace hlo::conformance
