// spec/ops/batch_norm_training.md
#include "interpreter/plans/linear/batch_norm.h"
#include "interpreter/rules/epsilon.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

std::optional<Literal> value(const Instruction& norm, Operands operands,
                             Evaluator& evaluator) {
  const Features features = features_of(norm, operands[0]);
  const auto epsilon = Extended::of(epsilon_of(norm));
  const auto operand = decoded(operands[0]);
  const auto scale = decoded(operands[1]);
  const auto offset = decoded(operands[2]);
  std::vector<Literal> results;
  for (const Shape& shape : norm.shape.tuple_shapes) {
    results.emplace_back(shape).mutable_bytes();
  }
  const auto& format = numeric::format(results[0].type());
  for_each_block(features, evaluator, [&](const FeatureBlock& block) {
    const std::vector<double> x = gather(features, block, operand);
    std::vector<uint64_t> codes(x.size());
    for (int64_t i = 0; i < block.count; ++i) {
      const int64_t f = block.first + i;
      const Moments moments = moments_of(features.part(x, i));
      put(results[1], f, moments.mean);
      put(results[2], f, moments.variance);
      normalize({.mean = moments.mean,
                 .variance = moments.variance + epsilon,
                 .scale = scale[static_cast<size_t>(f)],
                 .offset = offset[static_cast<size_t>(f)]},
                features.part(x, i), format, codes.data() + i * features.size);
    }
    scatter(features, block, codes, results[0]);
  });
  return Literal::tuple(std::move(results));
}

}  // namespace

extern constinit const Plan plan_batch_norm_training{.value = value};

}  // namespace hlo
