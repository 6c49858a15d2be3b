#include "backends/cpu/plan/steps/divisions.h"

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

// What a division computes is held to what its steps compute one after the
// other.

namespace hlo::cpu {
namespace {

constexpr int64_t kNumbers = int64_t{8} * 150 * 150;

/// A computation of x, and w, the negative of y, 8 matrices of 150 x 150.
struct DivisionFact {
  const char* what;
  std::string body;
  std::vector<std::pair<size_t, size_t>> divisions;  // first step and count
};

const std::string kProduct =
    "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
    "rhs_contracting_dims={1}";

const std::string kSoftmax = R"(
  m = f32[8,150] reduce(p, least), dimensions={2}, to_apply=maximum
  mb = f32[8,150,150] broadcast(m), dimensions={0,1}
  d = f32[8,150,150] subtract(p, mb)
  e = f32[8,150,150] exponential(d)
  s = f32[8,150] reduce(e, zero), dimensions={2}, to_apply=add
  sb = f32[8,150,150] broadcast(s), dimensions={0,1}
  q = f32[8,150,150] divide(e, sb))";

const DivisionFact kFacts[] = {
    {"attention is one division",
     "p = f32[8,150,150] dot(x, w), " + kProduct + kSoftmax +
         "\nROOT r = f32[8,150,150] dot(q, x), " + kProduct,
     {{1, 5}}},
    {"what is a result lies outside of the threads",
     "p = f32[8,150,150] dot(x, w), " + kProduct + kSoftmax +
         "\no = f32[8,150,150] dot(q, x), " + kProduct +
         "\nROOT r = (f32[8,150,150], f32[8,150,150], f32[8,150]) "
         "tuple(o, e, m)",
     {{1, 5}}},
    {"a pass without a fold belongs to the division",
     "p = f32[8,150,150] dot(x, w), " + kProduct +
         "\na = f32[8,150,150] multiply(p, p)"
         "\nROOT r = f32[8,150,150] dot(a, x), " +
         kProduct,
     {{1, 3}}},
    {"matrices in the opposite order belong to no division",
     "p = f32[8,150,150] dot(x, w), " + kProduct +
         "\nb = f32[8,150,150] reverse(p), dimensions={0}"
         "\na = f32[8,150,150] multiply(b, p)"
         "\nROOT r = f32[8,150,150] dot(a, x), " +
         kProduct,
     {}},
    {"matrices across those of the batch belong to no division",
     "p = f32[8,150,150] dot(x, w), " + kProduct +
         "\nROOT r = f32[150,8,8] dot(p, x), lhs_batch_dims={1}, "
         "rhs_batch_dims={1}, lhs_contracting_dims={2}, "
         "rhs_contracting_dims={2}",
     {}},
    {"a product of matrices in the opposite order belongs to no division",
     "p = f32[8,150,150] dot(x, w), " + kProduct +
         "\nb = f32[8,150,150] reverse(p), dimensions={0}"
         "\nROOT r = f32[8,150,150] dot(b, x), " +
         kProduct,
     {}},
    {"an array that parts read in another order is not written over",
     "v = f32[8,150,150] reverse(w), dimensions={0}"
     "\np = f32[8,150,150] dot(x, v), " +
         kProduct +
         "\na = f32[8,150,150] exponential(p)"
         "\nb = f32[8,150,150] dot(a, x), " +
         kProduct +
         "\nc = f32[8,150,150] reverse(b), dimensions={0}"
         "\nROOT r = f32[8,150,150] add(b, c)",
     {{1, 3}}},
};

std::string program(const DivisionFact& fact) {
  return R"(
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
maximum { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] maximum(a, b) }
ENTRY e {
  x = f32[8,150,150] parameter(0)
  y = f32[8,150,150] parameter(1)
  zero = f32[] constant(0)
  least = f32[] constant(-inf)
  w = f32[8,150,150] negate(y)
  )" + fact.body +
         "\n}";
}

std::vector<Bytes> results(const StepPlan& plan) {
  Numbers x = random_numbers(kNumbers);
  for (float& number : x) number *= 0.1F;
  return leaves_of(plan, {x, Numbers(x.rbegin(), x.rend())});
}

class Divisions : public testing::TestWithParam<DivisionFact> {};

TEST_P(Divisions, AreTheStepsThatReadPartsOfOthers) {
  const Module module = verified_module(program(GetParam()));
  const StepPlan plan = *make_plan(*module.entry);
  std::vector<std::pair<size_t, size_t>> found;
  for (const Division& division : plan.divisions) {
    EXPECT_EQ(division.parts, 8);
    found.emplace_back(division.first, division.count);
  }
  EXPECT_EQ(found, GetParam().divisions);
}

TEST_P(Divisions, ComputeWhatTheirStepsDoOneAfterTheOther) {
  const Module module = verified_module(program(GetParam()));
  StepPlan plan = *make_plan(*module.entry);
  std::vector<std::vector<Bytes>> all;
  for (const int64_t threads : {1, 3, 4, 64}) {
    const ThreadCount count(threads);
    all.push_back(results(plan));
  }
  plan.divisions.clear();
  plan.bands.clear();
  const auto expected = results(plan);
  for (const auto& own : all) EXPECT_EQ(own, expected);
}

// From each product only some steps are looked at: a long program is planned in
// a time that grows as it does.
TEST(DivisionsOfLongPrograms, AreCutIntoPieces) {
  constexpr int kProducts = 100;
  std::string text = R"(HloModule m
ENTRY e {
  x = f32[8,64,64] parameter(0)
  y0 = f32[8,64,64] negate(x)
)";
  for (int i = 0; i < kProducts; ++i) {
    text += fmt::format(
        "  d{0} = f32[8,64,64] dot(y{0}, x), lhs_batch_dims={{0}}, "
        "rhs_batch_dims={{0}}, lhs_contracting_dims={{2}}, "
        "rhs_contracting_dims={{1}}\n  y{1} = f32[8,64,64] tanh(d{0})\n",
        i, i + 1);
  }
  text += fmt::format("  ROOT r = f32[8,64,64] negate(y{})\n}}", kProducts);
  const StepPlan plan = *make_plan(*verified_module(text).entry);
  ASSERT_EQ(plan.divisions.size(), 4);
  size_t steps = 0;
  for (const Division& division : plan.divisions) {
    EXPECT_LE(division.count, 65);  // 64, and the rest of a band
    // What the last step writes the next division reads.
    EXPECT_EQ(division.inner.size(), division.count - 1);
    steps += division.count;
  }
  EXPECT_GE(steps, 2 * kProducts);
}

INSTANTIATE_TEST_SUITE_P(Facts, Divisions, testing::ValuesIn(kFacts),
                         kNameOfFact);

}  // namespace
}  // namespace hlo::cpu
