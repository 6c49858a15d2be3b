#include "backends/cpu/plan/steps/bands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "backends/cpu/plan/make_plan.h"
#include "backends/cpu/plan/testing/leaves_of.h"
#include "backends/cpu/plan/testing/name_of_fact.h"
#include "backends/cpu/threads/share_loop.h"
#include "interpreter/verify/verify.h"

// What a band computes is held to what its steps compute one after the other.

namespace hlo::cpu {
namespace {

struct Steps {
  size_t first, count;
  int64_t lines;
};

/// A computation of x and w, squares of so many rows, after their product p.
struct BandFact {
  const char* what;
  std::string body;          // {0} is the number of rows
  std::vector<Steps> bands;  // for 200 rows; step 0 is the product
};

const BandFact kFacts[] = {
    {"a line, its largest number, exponentials and their sum are a band",
     R"(
  m = f32[{0}] reduce(p, least), dimensions={{1}}, to_apply=maximum
  all = f32[{0},{0}] broadcast(m), dimensions={{0}}
  d = f32[{0},{0}] subtract(p, all)
  e = f32[{0},{0}] exponential(d)
  s = f32[{0}] reduce(e, zero), dimensions={{1}}, to_apply=add
  sums = f32[{0},{0}] broadcast(s), dimensions={{0}}
  ROOT r = f32[{0},{0}] divide(e, sums))",
     {{1, 3, 200}}},
    {"numbers of a line between two passes belong to the band",
     R"(
  s = f32[{0}] reduce(p, zero), dimensions={{1}}, to_apply=add
  h = f32[{0}] multiply(s, s)
  i = f32[{0}] rsqrt(h)
  all = f32[{0},{0}] broadcast(i), dimensions={{0}}
  a = f32[{0},{0}] multiply(p, all)
  q = f32[{0}] reduce(a, zero), dimensions={{1}}, to_apply=add
  ROOT r = (f32[{0},{0}], f32[{0}]) tuple(a, q))",
     {{1, 3, 200}}},
    {"sums that are read along the other dimension are no band",
     R"(
  s = f32[{0}] reduce(p, zero), dimensions={{1}}, to_apply=add
  all = f32[{0},{0}] broadcast(s), dimensions={{1}}
  ROOT r = f32[{0},{0}] subtract(p, all))",
     {}},
    {"sums that are read in the opposite order are no band",
     R"(
  s = f32[{0}] reduce(p, zero), dimensions={{1}}, to_apply=add
  back = f32[{0}] reverse(s), dimensions={{0}}
  all = f32[{0},{0}] broadcast(back), dimensions={{0}}
  ROOT r = f32[{0},{0}] subtract(p, all))",
     {}},
    {"what one line of another number of lines folds is no band",
     R"(
  s = f32[{0}] reduce(p, zero), dimensions={{1}}, to_apply=add
  h = f32[{0}] multiply(s, s)
  ROOT r = f32[] reduce(h, zero), dimensions={{0}}, to_apply=add)",
     {}},
    {"an array whose first line each line reads is not written over before",
     R"(
  row = f32[1,{0}] slice(p), slice={{[0:1], [0:{0}]}}
  line = f32[{0}] reshape(row)
  same = f32[{0},{0}] broadcast(line), dimensions={{1}}
  a = f32[{0},{0}] add(p, same)
  s = f32[{0}] reduce(a, zero), dimensions={{1}}, to_apply=add
  all = f32[{0},{0}] broadcast(s), dimensions={{0}}
  q = f32[{0},{0}] multiply(p, all)
  t = f32[{0}] reduce(q, zero), dimensions={{1}}, to_apply=add
  ROOT r = (f32[{0},{0}], f32[{0}]) tuple(q, t))",
     {{1, 2, 200}}},
    {"places that a step needs no more are those of arrays as long",
     R"(
  n = f32[{0},{0}] negate(p)
  s = f32[{0}] reduce(n, zero), dimensions={{1}}, to_apply=add
  all = f32[{0},{0}] broadcast(s), dimensions={{0}}
  a = f32[{0},{0}] multiply(n, all)
  t = f32[{0}] reduce(a, zero), dimensions={{1}}, to_apply=add
  every = f32[{0},{0}] broadcast(t), dimensions={{0}}
  b = f32[{0},{0}] add(all, every)
  u = f32[{0}] reduce(b, zero), dimensions={{1}}, to_apply=maximum
  end = f32[{0},{0}] broadcast(u), dimensions={{0}}
  c = f32[{0},{0}] multiply(b, end)
  ROOT r = (f32[{0},{0}], f32[{0}]) tuple(c, t))",
     {{1, 4, 200}}},
    {"places that steps need no more are not that of a longer array",
     R"(
  n = f32[{0},{0}] negate(p)
  s = f32[{0}] reduce(n, zero), dimensions={{1}}, to_apply=add
  e = f32[{0},{0}] exponential(p)
  t = f32[{0}] reduce(e, zero), dimensions={{1}}, to_apply=add
  every = f32[{0},{0}] broadcast(s), dimensions={{0}}
  all = f32[{0},{0}] broadcast(t), dimensions={{0}}
  a = f32[{0},{0}] multiply(n, every)
  b = f32[{0},{0}] multiply(e, all)
  c = f32[{0},{0}] add(a, b)
  u = f32[{0}] reduce(c, zero), dimensions={{1}}, to_apply=add
  wide = f32[{0},2,{0}] broadcast(p), dimensions={{0,2}}
  other = f32[{0},2,{0}] broadcast(u), dimensions={{0}}
  d = f32[{0},2,{0}] multiply(wide, other)
  lines = f32[{0}] reduce(d, zero), dimensions={{1,2}}, to_apply=add
  end = f32[{0},2,{0}] broadcast(lines), dimensions={{0}}
  r = f32[{0},2,{0}] multiply(d, end)
  q = f32[{0}] reduce(r, zero), dimensions={{1,2}}, to_apply=add
  o = f32[{0},2,{0}] dot(d, x), lhs_contracting_dims={{2}}, rhs_contracting_dims={{0}}
  ROOT t2 = (f32[{0}], f32[{0},2,{0}]) tuple(q, o))",
     {{1, 5, 200}}},
};

std::string program(const BandFact& fact, int64_t rows) {
  constexpr std::string_view kHead = R"(
add {{ a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }}
maximum {{ a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] maximum(a, b) }}
ENTRY e {{
  x = f32[{0},{0}] parameter(0)
  w = f32[{0},{0}] parameter(1)
  zero = f32[] constant(0)
  least = f32[] constant(-inf)
  p = f32[{0},{0}] dot(x, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}})";
  return fmt::format(kHead, rows) + fmt::format(fmt::runtime(fact.body), rows) +
         " }";
}

class Bands : public testing::TestWithParam<BandFact> {};

TEST_P(Bands, AreTheStepsThatReadLinesOfOthers) {
  const Module module = verified_module(program(GetParam(), 200));
  const StepPlan plan = *make_plan(*module.entry);
  ASSERT_EQ(plan.bands.size(), GetParam().bands.size());
  for (size_t i = 0; i < plan.bands.size(); ++i) {
    EXPECT_EQ(plan.bands[i].first, GetParam().bands[i].first);
    EXPECT_EQ(plan.bands[i].count, GetParam().bands[i].count);
    EXPECT_EQ(plan.bands[i].lines, GetParam().bands[i].lines);
  }
}

std::vector<Bytes> results(const StepPlan& plan, int64_t rows) {
  const Numbers x = random_numbers(rows * rows);
  return leaves_of(plan, {x, x});
}

TEST_P(Bands, ComputeWhatTheirStepsDoOneAfterTheOther) {
  for (const int64_t rows : {1, 2, 3, 16, 33, 200, 515}) {
    const Module module = verified_module(program(GetParam(), rows));
    StepPlan plan = *make_plan(*module.entry);
    std::vector<std::vector<Bytes>> all;
    for (const int64_t threads : {1, 3}) {
      const ThreadCount count(threads);
      all.push_back(results(plan, rows));
    }
    plan.bands.clear();
    const auto expected = results(plan, rows);
    EXPECT_EQ(all[0], expected) << rows;
    EXPECT_EQ(all[1], expected) << rows;
  }
}

INSTANTIATE_TEST_SUITE_P(Facts, Bands, testing::ValuesIn(kFacts), kNameOfFact);

}  // namespace
}  // namespace hlo::cpu
