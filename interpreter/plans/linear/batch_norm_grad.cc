// spec/ops/batch_norm_grad.md
#include "interpreter/plans/linear/batch_norm.h"
#include "interpreter/rules/epsilon.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// The operands as numbers.
struct Values {
  std::vector<double> operand, scale, mean, variance, gradient;
};

/// The gradients of one feature: of x in `codes`, of scale and offset in
/// results 1 and 2.
void derive(const Values& values, const Extended& epsilon, int64_t f,
            std::span<const double> x, std::span<const double> dy,
            std::vector<Literal>& results, uint64_t* codes) {
  const auto at = static_cast<size_t>(f);
  Gradient gradient{.mean = values.mean[at],
                    .variance = Extended::of(values.variance[at]) + epsilon,
                    .scale = values.scale[at],
                    .g = exact_sum(dy.data(), static_cast<int64_t>(dy.size())),
                    .s = sum_of_products(x, values.mean[at], dy),
                    .n = static_cast<int64_t>(x.size())};
  const auto& format = numeric::format(results[1].type());
  results[1].set(
      f, {.type = results[1].type(),
          .bits = {round_over_root(gradient.s, gradient.variance, {}, format),
                   0}});
  put(results[2], f, gradient.g);
  differentiate(gradient, x, dy, numeric::format(results[0].type()), codes);
}

std::optional<Literal> value(const Instruction& norm, Operands operands,
                             Evaluator& evaluator) {
  const Features features = features_of(norm, operands[0]);
  const auto epsilon = Extended::of(epsilon_of(norm));
  const Values values{decoded(operands[0]), decoded(operands[1]),
                      decoded(operands[2]), decoded(operands[3]),
                      decoded(operands[4])};
  std::vector<Literal> results;
  for (const Shape& shape : norm.shape.tuple_shapes) {
    results.emplace_back(shape).mutable_bytes();
  }
  for_each_block(features, evaluator, [&](const FeatureBlock& block) {
    const std::vector<double> x = gather(features, block, values.operand);
    const std::vector<double> dy = gather(features, block, values.gradient);
    std::vector<uint64_t> codes(x.size());
    for (int64_t i = 0; i < block.count; ++i) {
      derive(values, epsilon, block.first + i, features.part(x, i),
             features.part(dy, i), results, codes.data() + i * features.size);
    }
    scatter(features, block, codes, results[0]);
  });
  return Literal::tuple(std::move(results));
}

}  // namespace

extern constinit const Plan plan_batch_norm_grad{.value = value};

}  // namespace hlo
