// spec/ops/batch_norm_inference.md
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
  std::vector<std::vector<double>> vectors;
  for (size_t i = 1; i < operands.size(); ++i) {
    vectors.push_back(decoded(operands[i]));
  }
  Literal result(norm.shape);
  result.mutable_bytes();  // its own before threads write to it
  const auto& format = numeric::format(result.type());
  for_each_block(features, evaluator, [&](const FeatureBlock& block) {
    const std::vector<double> x = gather(features, block, operand);
    std::vector<uint64_t> codes(x.size());
    for (int64_t i = 0; i < block.count; ++i) {
      const auto f = static_cast<size_t>(block.first + i);
      normalize({.mean = Extended::of(vectors[2][f]),
                 .variance = Extended::of(vectors[3][f]) + epsilon,
                 .scale = vectors[0][f],
                 .offset = vectors[1][f]},
                features.part(x, i), format, codes.data() + i * features.size);
    }
    scatter(features, block, codes, result);
  });
  return result;
}

}  // namespace

extern constinit const Plan plan_batch_norm_inference{.value = value};

}  // namespace hlo
