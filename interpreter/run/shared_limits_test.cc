#include "interpreter/run/shared_limits.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/run/helpers.h"
#include "interpreter/run/parallel_for.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

constexpr const char* kTwoArrays =
    "HloModule m\nENTRY main {\n"
    "  x = f32[1000000] iota(), iota_dimension=0\n"
    "  y = f32[1000000] negate(x)\n"
    "  ROOT r = f32[1000000] add(x, y)\n}\n";

/// The rule of the error that the call ends with; "none".
template <typename Call>
std::string rule_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.rule();
  }
  return "none";
}

void run_two_arrays() {
  Module module = text::parse(kTwoArrays);
  verify(module);
  evaluate(module, {});
}

TEST(SharedLimits, AreOfAllEvaluationsTogether) {
  const auto budget = std::make_shared<Budget>(Budget::kEndless);
  const SharedLimitsScope scope({.budget = budget});
  run_two_arrays();
  const int64_t once = budget->spent();
  EXPECT_GT(once, 0);
  run_two_arrays();
  EXPECT_EQ(budget->spent(), 2 * once);
  budget->take(Budget::kEndless + 1);
  EXPECT_EQ(rule_of(run_two_arrays), "evaluate.work");
}

TEST(SharedLimits, GiveWayToABudgetOfTheEvaluation) {
  const auto budget = std::make_shared<Budget>(Budget::kEndless);
  const SharedLimitsScope scope({.budget = budget});
  Module module = text::parse(kTwoArrays);
  verify(module);
  evaluate(module, {}, {.budget = std::make_shared<Budget>(1'000'000'000)});
  EXPECT_EQ(budget->spent(), 0);
}

TEST(SharedLimits, EndWithTheirScope) {
  const auto outer = std::make_shared<Budget>(10);
  const SharedLimitsScope scope({.budget = outer});
  {
    const SharedLimitsScope inner({.budget = std::make_shared<Budget>(1)});
    EXPECT_EQ(rule_of([] { spend_shared(2); }), "evaluate.work");
    const SharedLimitsScope none({});
    EXPECT_EQ(rule_of([] { spend_shared(Budget::kEndless); }), "none");
  }
  spend_shared(3);
  EXPECT_EQ(outer->spent(), 3);
}

TEST(SharedLimits, StopALoopBetweenItsPieces) {
  for (const int threads : {1, 4}) {
    const auto budget = std::make_shared<Budget>(Budget::kEndless);
    const SharedLimitsScope scope({.budget = budget});
    std::atomic<int64_t> visited{0};
    const auto loop = [&] {
      parallel_for(threads, 1'000'000, 1, [&](int64_t begin, int64_t end) {
        visited += end - begin;
        budget->take(Budget::kEndless + 1);
      });
    };
    EXPECT_EQ(rule_of(loop), "evaluate.work");
    EXPECT_LT(visited, 100'000) << threads;
  }
}

TEST(SharedLimits, AreThoseOfHelpers) {
  const auto budget = std::make_shared<Budget>(Budget::kEndless);
  const SharedLimitsScope scope({.budget = budget});
  const std::function<void(int64_t)> work = [](int64_t) { spend_shared(7); };
  { const Helpers helpers(1, work); }
  EXPECT_EQ(budget->spent(), 7);
}

TEST(ArrayAllowance, CountsWhatIsHeldAtTheSameTime) {
  for (const auto& [most, rule] : {std::pair(9'000'000, "evaluate.memory"),
                                   std::pair(13'000'000, "none")}) {
    const auto arrays = std::make_shared<ArrayAllowance>(most);
    const SharedLimitsScope scope({.arrays = arrays});
    EXPECT_EQ(rule_of(run_two_arrays), rule);
    EXPECT_EQ(arrays->held(), 0);
  }
}

TEST(ArrayAllowance, CountsWhatIsTakenBesideArrays) {
  const auto arrays = std::make_shared<ArrayAllowance>(1'000'000);
  const SharedLimitsScope scope({.arrays = arrays});
  EXPECT_EQ(rule_of([] { const ScratchMemory scratch(1'000'001); }),
            "evaluate.memory");
  EXPECT_EQ(arrays->held(), 0);
  {
    const ScratchMemory scratch(1'000'000);
    EXPECT_EQ(arrays->held(), 1'000'000);
  }
  EXPECT_EQ(arrays->held(), 0);
}

TEST(ArrayAllowance, TakesBackWhatOutlivesItsScope) {
  const auto arrays = std::make_shared<ArrayAllowance>(1'000'000);
  Literal literal;
  {
    const SharedLimitsScope scope({.arrays = arrays});
    literal = Literal(Shape::array(ElementType::kS8, {100'000}));
  }
  const Literal other(Shape::array(ElementType::kS8, {100'000}));
  EXPECT_EQ(arrays->held(), 100'000);
  literal = {};
  EXPECT_EQ(arrays->held(), 0);
}

}  // namespace
}  // namespace hlo
