#include "conformance/expect/linear/expect_normalized.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/judge/judge.h"
#include "interpreter/evaluate.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// What XLA makes of an operation: f32 operations, each of which rounds.
struct Expansion {
  std::string parameters;
  std::string operation;  // the right side of the root
  std::string steps;
};

constexpr const char* kReducer =
    "HloModule m\n\nadd {\n  a = f32[] parameter(0)\n  b = f32[] "
    "parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\nENTRY main {\n"
    "  zero = f32[] constant(0)\n  e = f32[] constant(0.001)\n"
    "  es = f32[5] broadcast(e), dimensions={}\n";

const Expansion& training() {
  static const Expansion expansion{
      .parameters = R"(  x = f32[24,5] parameter(0)
  scale = f32[5] parameter(1)
  offset = f32[5] parameter(2)
)",
      .operation =
          "(f32[24,5], f32[5], f32[5]) batch-norm-training(x, scale, "
          "offset), epsilon=0.001, feature_index=1\n",
      .steps = R"(  n = f32[] constant(24)
  ns = f32[5] broadcast(n), dimensions={}
  xx = f32[24,5] multiply(x, x)
  sum = f32[5] reduce(x, zero), dimensions={0}, to_apply=add
  squares = f32[5] reduce(xx, zero), dimensions={0}, to_apply=add
  mean = f32[5] divide(sum, ns)
  square = f32[5] divide(squares, ns)
  mm = f32[5] multiply(mean, mean)
  variance = f32[5] subtract(square, mm)
  v = f32[5] add(variance, es)
  r = f32[5] rsqrt(v)
  rs = f32[24,5] broadcast(r), dimensions={1}
  means = f32[24,5] broadcast(mean), dimensions={1}
  scales = f32[24,5] broadcast(scale), dimensions={1}
  offsets = f32[24,5] broadcast(offset), dimensions={1}
  d = f32[24,5] subtract(x, means)
  p = f32[24,5] multiply(d, rs)
  q = f32[24,5] multiply(p, scales)
  y = f32[24,5] add(q, offsets)
  ROOT t = (f32[24,5], f32[5], f32[5]) tuple(y, mean, variance)
)"};
  return expansion;
}

const Expansion& inference() {
  static const Expansion expansion{
      .parameters = R"(  x = f32[24,5] parameter(0)
  scale = f32[5] parameter(1)
  offset = f32[5] parameter(2)
  mean = f32[5] parameter(3)
  variance = f32[5] parameter(4)
)",
      .operation =
          "f32[24,5] batch-norm-inference(x, scale, offset, mean, "
          "variance), epsilon=0.001, feature_index=1\n",
      .steps = R"(  v = f32[5] add(variance, es)
  r = f32[5] rsqrt(v)
  s = f32[5] multiply(scale, r)
  ms = f32[5] multiply(mean, s)
  o = f32[5] subtract(offset, ms)
  ss = f32[24,5] broadcast(s), dimensions={1}
  os = f32[24,5] broadcast(o), dimensions={1}
  p = f32[24,5] multiply(x, ss)
  ROOT y = f32[24,5] add(p, os)
)"};
  return expansion;
}

const Expansion& gradient() {
  static const Expansion expansion{
      .parameters = R"(  x = f32[24,5] parameter(0)
  scale = f32[5] parameter(1)
  mean = f32[5] parameter(2)
  variance = f32[5] parameter(3)
  dy = f32[24,5] parameter(4)
)",
      .operation =
          "(f32[24,5], f32[5], f32[5]) batch-norm-grad(x, scale, "
          "mean, variance, dy), epsilon=0.001, feature_index=1\n",
      .steps = R"(  n = f32[] constant(24)
  v = f32[5] add(variance, es)
  r = f32[5] rsqrt(v)
  means = f32[24,5] broadcast(mean), dimensions={1}
  d = f32[24,5] subtract(x, means)
  dd = f32[24,5] multiply(dy, d)
  s = f32[5] reduce(dd, zero), dimensions={0}, to_apply=add
  g = f32[5] reduce(dy, zero), dimensions={0}, to_apply=add
  gs = f32[5] multiply(s, r)
  k = f32[5] divide(s, v)
  ks = f32[24,5] broadcast(k), dimensions={1}
  m = f32[24,5] multiply(d, ks)
  ns = f32[24,5] broadcast(n), dimensions={}
  nd = f32[24,5] multiply(dy, ns)
  g2 = f32[24,5] broadcast(g), dimensions={1}
  p = f32[24,5] subtract(nd, g2)
  q = f32[24,5] subtract(p, m)
  n5 = f32[5] broadcast(n), dimensions={}
  sr = f32[5] multiply(scale, r)
  f = f32[5] divide(sr, n5)
  fs = f32[24,5] broadcast(f), dimensions={1}
  y = f32[24,5] multiply(q, fs)
  ROOT t = (f32[24,5], f32[5], f32[5]) tuple(y, gs, g)
)"};
  return expansion;
}

/// Numbers of [-1, 1], the first operand shifted; variances are positive.
std::vector<Literal> draw(const Instruction& norm, float shift) {
  std::minstd_rand random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const size_t variance = norm.op->name == "batch-norm-grad" ? 3 : 4;
  std::vector<Literal> operands;
  for (size_t k = 0; k < norm.operands.size(); ++k) {
    Literal& operand = operands.emplace_back(norm.operand_shape(k));
    for (float& x : operand.mutable_data<float>()) {
      x = uniform(random) + (k == 0 ? shift : 0);
      if (k == variance) x = std::fabs(x) + 0.25F;
    }
  }
  return operands;
}

Verdict judge_expansion(const Expansion& expansion, float shift,
                        std::string_view what = "", std::string_view by = "") {
  std::string steps = expansion.steps;
  if (!what.empty()) steps.replace(steps.find(what), what.size(), by);
  const Module norm =
      verified_module(kReducer + expansion.parameters +
                      "  ROOT r = " + expansion.operation + "}");
  const Module expanded =
      verified_module(kReducer + expansion.parameters + steps + "}");
  const Instruction& root = *norm.entry->root;
  const std::vector<Literal> operands = draw(root, shift);
  const auto reference = array_leaves(evaluate(norm, operands));
  const auto observed = array_leaves(evaluate(expanded, operands));
  return judge(
             expect_normalized(root, operands, reference, &observed, Profile()),
             observed)
      .verdict;
}

TEST(ExpectNormalized, AdmitsWhatXlaComputes) {
  for (const float shift : {0.0F, 1.0F, 30.0F}) {
    EXPECT_EQ(judge_expansion(training(), shift), Verdict::kConforms) << shift;
    EXPECT_EQ(judge_expansion(inference(), shift), Verdict::kConforms) << shift;
    EXPECT_EQ(judge_expansion(gradient(), shift), Verdict::kConforms) << shift;
  }
}

TEST(ExpectNormalized, RefusesOtherFormulas) {
  struct Change {
    const Expansion& expansion;
    std::string_view what;
    std::string_view by;
  };

  const Change changes[] = {
      {training(), "constant(24)", "constant(23)"},
      {gradient(), "constant(24)", "constant(23)"},
      {training(), "add(variance, es)", "add(variance, variance)"},
      {inference(), "subtract(offset, ms)", "add(offset, ms)"},
      {gradient(), "subtract(p, m)", "add(p, m)"},
  };
  for (const auto& [expansion, what, by] : changes) {
    EXPECT_EQ(judge_expansion(expansion, 0, what, by), Verdict::kDiffers)
        << expansion.operation << what;
  }
}

}  // namespace
}  // namespace hlo::conformance
