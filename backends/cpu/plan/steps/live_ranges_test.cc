#include "backends/cpu/plan/steps/live_ranges.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>

#include "backends/cpu/plan/make_plan.h"
#include "interpreter/verify/verify.h"

namespace hlo::cpu {
namespace {

// Arrays of 64 and of 128 bytes; no product is written over what it reads.
constexpr std::string_view kProducts = R"(
ENTRY e {
  x = f32[4,4] parameter(0)
  w = f32[4,8] parameter(1)
  a = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[4,8] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT c = f32[4,8] dot(x, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})";

// A product, whose 64 bytes the negation is written over, and both of whose
// arrays the result keeps in the second program.
constexpr std::string_view kOver = R"(
ENTRY e {
  x = f32[4,4] parameter(0)
  a = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT b = f32[4,4] negate(a)
})";
constexpr std::string_view kKept = R"(
ENTRY e {
  x = f32[4,4] parameter(0)
  a = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[4,4] negate(a)
  ROOT r = (f32[4,4], f32[4,4]) tuple(a, b)
})";

// The sum reads a's elements in their order and, each many times, in another.
constexpr std::string_view kTwice = R"(
ENTRY e {
  x = f32[4,4] parameter(0)
  a = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  row = f32[1,4] slice(a), slice={[0:1], [0:4]}
  line = f32[4] reshape(row)
  all = f32[4,4] broadcast(line), dimensions={1}
  ROOT b = f32[4,4] add(a, all)
})";

constexpr std::string_view kNothing = R"(
ENTRY e {
  x = f32[0,4] parameter(0)
  a = f32[0,4] negate(x)
  b = f32[0,4] negate(a)
  ROOT r = (f32[0,4], f32[0,4]) tuple(a, b)
})";

// Exponentials that are divided by their sums: the sums need the exponentials,
// the quotients are written over them.
constexpr std::string_view kSoftmax = R"(
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[4,4] parameter(0)
  zero = f32[] constant(0)
  e = f32[4,4] exponential(x)
  s = f32[4] reduce(e, zero), dimensions={1}, to_apply=add
  all = f32[4,4] broadcast(s), dimensions={0}
  ROOT d = f32[4,4] divide(e, all)
})";

// What is only folded is no array; the fold begins with a number that is
// computed, and that no pass may write over.
constexpr std::string_view kFolded = R"(
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[4] parameter(0)
  y = f32[] parameter(1)
  init = f32[] negate(y)
  e = f32[4] exponential(x)
  ROOT s = f32[] reduce(e, init), dimensions={0}, to_apply=add
})";

struct Planned {
  explicit Planned(std::string_view text)
      : module(verified_module(text)), plan(*make_plan(*module.entry)) {}

  Module module;
  StepPlan plan;
};

TEST(LiveRanges, NeedWhatAStepReadsAndWrites) {
  // At the last step b and c: 128 + 128.
  EXPECT_EQ(least_bytes(Planned(kProducts).plan), 256U);
}

TEST(LiveRanges, CountOnceWhatIsWrittenOver) {
  EXPECT_EQ(least_bytes(Planned(kOver).plan), 64U);
}

TEST(LiveRanges, CountWhatIsKept) {
  EXPECT_EQ(least_bytes(Planned(kKept).plan), 128U);
}

TEST(LiveRanges, CountWhatIsReadInTwoOrders) {
  EXPECT_EQ(least_bytes(Planned(kTwice).plan), 128U);
}

TEST(LiveRanges, CountAFoldBesideItsLines) {
  EXPECT_EQ(least_bytes(Planned(kSoftmax).plan), 64U + 16U);
}

TEST(LiveRanges, CountNoLinesThatAreOnlyFolded) {
  EXPECT_EQ(least_bytes(Planned(kFolded).plan), 4U + 4U);
}

TEST(LiveRanges, EndWhereAValueIsReadLast) {
  const StepPlan plan = Planned(kProducts).plan;
  const std::vector<LiveRange> ranges = live_ranges(plan);
  const LiveRange a = ranges[plan.steps[0].writes[0]];
  const LiveRange c = ranges[plan.steps[2].writes[0]];
  EXPECT_EQ(a.first, 0U);
  EXPECT_EQ(a.last, 1U);
  EXPECT_EQ(c.first, 2U);
  EXPECT_EQ(c.last, 3U);  // one behind all
}

/// Two values that are in memory at the same step, where their bytes are the
/// same ones; one that is written over ends before the step.
std::optional<std::pair<size_t, size_t>> clash(const StepPlan& plan) {
  std::vector<LiveRange> ranges = live_ranges(plan);
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    for (const size_t value : plan.steps[s].reads) {
      const bool same =
          plan.offsets[value] == plan.offsets[plan.steps[s].writes[0]];
      if (same && can_write_over(plan, s, value, ranges)) --ranges[value].last;
    }
  }
  const auto end = [&](size_t v) {
    return plan.offsets[v] + static_cast<int64_t>(plan.graph.values[v].bytes);
  };
  for (size_t a = 0; a < ranges.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (plan.offsets[a] < 0 || plan.offsets[b] < 0) continue;
      const bool together = ranges[a].first <= ranges[b].last &&
                            ranges[b].first <= ranges[a].last;
      if (together && plan.offsets[a] < end(b) && plan.offsets[b] < end(a)) {
        return std::pair{b, a};
      }
    }
  }
  return std::nullopt;
}

TEST(Places, AreNotSharedByValuesThatAreNeededTogether) {
  for (const std::string_view text :
       {kProducts, kOver, kKept, kTwice, kNothing, kSoftmax, kFolded}) {
    const StepPlan plan = Planned(text).plan;
    EXPECT_EQ(clash(plan), std::nullopt) << text;
    EXPECT_GE(plan.block_bytes, least_bytes(plan)) << text;
  }
}

}  // namespace
}  // namespace hlo::cpu
