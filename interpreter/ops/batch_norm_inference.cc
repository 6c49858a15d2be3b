// spec/ops/batch_norm_inference.md
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
  require_features(norm, "batch-norm-inference.C1");
  require(are_feature_vectors(norm, 5), "batch-norm-inference.C2",
          {"the operands are ", OperandShapes{norm}},
          "scale, offset, mean and variance must be float vectors with one "
          "element for each feature");
  return norm.operand_shape(0);
}

Literal value(const Instruction& norm, Operands operands,
              Evaluator& /*evaluator*/) {
  const auto dimension = norm.get<int64_t>("feature_index");
  const Real epsilon = epsilon_of(norm);
  const std::vector<Real> scale = definition::numbers(operands[1]);
  const std::vector<Real> offset = definition::numbers(operands[2]);
  const std::vector<Real> mean = definition::numbers(operands[3]);
  const std::vector<Real> variance = definition::numbers(operands[4]);
  return definition::generate(norm.shape, [&](const Index& i) {
    const auto f = static_cast<size_t>(i[static_cast<size_t>(dimension)]);
    const Real x = definition::number(operands[0].at(i));
    const Real y = definition::over_root((x - mean[f]) * scale[f],
                                         variance[f] + epsilon, offset[f]);
    return definition::element(y, norm.shape.element_type);
  });
}

void fit(const Fitting& on) { fit_features(on, 5); }

constexpr std::string_view kWords[] = {
    "(operand - mean) / sqrt(variance + epsilon) * scale + offset"};

int64_t work(const Instruction& norm) {
  constexpr int64_t kElement = 25;
  return saturating_product({norm.operand_shape(0).element_count(), kElement});
}

}  // namespace

extern constinit const Op op_batch_norm_inference{
    .name = "batch-norm-inference",
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
