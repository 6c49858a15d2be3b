// spec/ops/batch_norm_grad.md
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
  require_features(norm, "batch-norm-grad.C1");
  require(are_feature_vectors(norm, 4), "batch-norm-grad.C2",
          {"the operands are ", OperandShapes{norm}},
          "scale, mean and variance must be float vectors with one element for "
          "each feature");
  const Shape& operand = norm.operand_shape(0);
  require(
      same_dims(norm.operand_shape(4), operand) &&
          is_float(norm.operand_shape(4).element_type),
      "batch-norm-grad.C3",
      {"the gradient is ", norm.operand_shape(4), " and the operand ", operand},
      "the gradient of the output must hold floats and have the operand's "
      "dimensions");
  return Shape::tuple({operand, norm.operand_shape(1), norm.operand_shape(1)});
}

Real sum_of(const std::vector<Real>& x) {
  Real sum = 0;
  for (const Real& number : x) sum = sum + number;
  return sum;
}

/// sum over dy (x - mean)
Real sum_of_products(const std::vector<Real>& dy, const std::vector<Real>& x,
                     const Real& mean) {
  Real sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum = sum + dy[i] * (x[i] - mean);
  return sum;
}

Literal value(const Instruction& norm, Operands operands,
              Evaluator& /*evaluator*/) {
  const auto dimension = norm.get<int64_t>("feature_index");
  const auto x = definition::features(operands[0], dimension);
  const auto dy = definition::features(operands[4], dimension);
  const std::vector<Real> scale = definition::numbers(operands[1]);
  const std::vector<Real> mean = definition::numbers(operands[2]);
  std::vector<Real> variance = definition::numbers(operands[3]);
  std::vector<Real> g;
  std::vector<Real> s;
  std::vector<Real> grad_scale;
  for (size_t f = 0; f < x.size(); ++f) {
    variance[f] = variance[f] + epsilon_of(norm) + 0;
    g.push_back(sum_of(dy[f]));
    s.push_back(sum_of_products(dy[f], x[f], mean[f]));
    grad_scale.push_back(definition::over_root(s[f], variance[f], 0));
  }
  const auto& shapes = norm.shape.tuple_shapes;
  Literal grad_operand = definition::generate(shapes[0], [&](const Index& i) {
    const auto f = static_cast<size_t>(i[static_cast<size_t>(dimension)]);
    const Real n = static_cast<double>(x[f].size());
    const Real difference = definition::number(operands[0].at(i)) - mean[f];
    const Real sum = n * definition::number(operands[4].at(i)) - g[f] -
                     difference * s[f] / variance[f];
    return definition::element(
        definition::over_root(scale[f] * sum / n, variance[f], 0),
        shapes[0].element_type);
  });
  return Literal::tuple({std::move(grad_operand),
                         definition::vector_of(grad_scale, shapes[1]),
                         definition::vector_of(g, shapes[2])});
}

/// The gradient of the result is as large as the operand.
void fit(const Fitting& on) {
  for (int64_t d = 0; d < std::ssize(on.sizes[0]); ++d) on.pair(0, d, 4, d);
  fit_features(on, 4);
  on.sizes[4] = on.sizes[0];
}

constexpr std::string_view kWords[] = {
    "scale / sqrt(variance + epsilon) / N * (N * grad_output - g - (operand - "
    "mean) * s / (variance + epsilon)), with g the sum of grad_output and s "
    "that of grad_output * (operand - mean) over the feature",
    "the sum of grad_output * (operand - mean) over sqrt(variance + epsilon)",
    "the sum of grad_output over the feature"};

int64_t work(const Instruction& norm) {
  constexpr int64_t kElement = 50;
  return saturating_product({norm.operand_shape(0).element_count(), kElement});
}

}  // namespace

extern constinit const Op op_batch_norm_grad{
    .name = "batch-norm-grad",
    .min_operands = 5,
    .max_operands = 5,
    .attributes = kBatchNormAttributes,
    .infer = infer,
    .value = value,
    .work = work,
    .accuracy = {Accuracy::Kind::kNormalized},
    .words = kWords,
    .fit = fit};

}  // namespace hlo
