// spec/ops/batch_norm_training.md
#include "interpreter/definition/features.h"
#include "interpreter/definition/generate.h"
#include "interpreter/definition/numbers/over_root.h"
#include "interpreter/error.h"
#include "interpreter/rules/epsilon.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

using definition::Real;

Shape infer(const Instruction& norm) {
  require_features(norm, "batch-norm-training.C1");
  require(are_feature_vectors(norm, 3), "batch-norm-training.C2",
          {"the operands are ", OperandShapes{norm}},
          "scale and offset must be float vectors with one element for each "
          "feature");
  return Shape::tuple(
      {norm.operand_shape(0), norm.operand_shape(1), norm.operand_shape(1)});
}

/// sum over x / N
Real mean_of(const std::vector<Real>& x) {
  Real sum = 0;
  for (const Real& number : x) sum = sum + number;
  return sum / static_cast<double>(x.size());
}

/// sum over (x - mean)^2 / N
Real variance_of(const std::vector<Real>& x, const Real& mean) {
  Real sum = 0;
  for (const Real& number : x) sum = sum + (number - mean) * (number - mean);
  return sum / static_cast<double>(x.size());
}

Literal value(const Instruction& norm, Operands operands,
              Evaluator& /*evaluator*/) {
  const auto dimension = norm.get<int64_t>("feature_index");
  const Real epsilon = epsilon_of(norm);
  const std::vector<Real> scale = definition::numbers(operands[1]);
  const std::vector<Real> offset = definition::numbers(operands[2]);
  std::vector<Real> mean;
  std::vector<Real> variance;
  for (const auto& x : definition::features(operands[0], dimension)) {
    mean.push_back(mean_of(x));
    variance.push_back(variance_of(x, mean.back()));
  }
  const auto& shapes = norm.shape.tuple_shapes;
  Literal output = definition::generate(shapes[0], [&](const Index& i) {
    const auto f = static_cast<size_t>(i[static_cast<size_t>(dimension)]);
    const Real x = definition::number(operands[0].at(i));
    const Real y = definition::over_root((x - mean[f]) * scale[f],
                                         variance[f] + epsilon, offset[f]);
    return definition::element(y, shapes[0].element_type);
  });
  return Literal::tuple({std::move(output),
                         definition::vector_of(mean, shapes[1]),
                         definition::vector_of(variance, shapes[2])});
}

void fit(const Fitting& on) { fit_features(on, 3); }

constexpr std::string_view kWords[] = {
    "(operand - mean) / sqrt(variance + epsilon) * scale + offset, of the "
    "exact mean and variance",
    "the sum of the feature's elements over their number",
    "the sum of (operand - mean)^2 over the feature's elements, over their "
    "number"};

int64_t work(const Instruction& norm) {
  constexpr int64_t kElement = 50;
  return saturating_product({norm.operand_shape(0).element_count(), kElement});
}

}  // namespace

extern constinit const Op op_batch_norm_training{
    .name = "batch-norm-training",
    .min_operands = 3,
    .max_operands = 3,
    .attributes = kBatchNormAttributes,
    .infer = infer,
    .value = value,
    .work = work,
    .accuracy = {Accuracy::Kind::kNormalized},
    .words = kWords,
    .fit = fit};

}  // namespace hlo
