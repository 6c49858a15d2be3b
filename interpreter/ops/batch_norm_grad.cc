// spec/ops/batch_norm_grad.md
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& norm) {
  require_features(norm, "batch-norm-grad.C1");
  require(are_feature_vectors(norm, 4), "batch-norm-grad.C2",
          "scale, mean and variance are float vectors with one element for "
          "each feature");
  const Shape& operand = norm.operand_shape(0);
  require(same_dims(norm.operand_shape(4), operand) &&
              is_float(norm.operand_shape(4).element_type),
          "batch-norm-grad.C3",
          "the gradient of the output has the operand's dimensions");
  return Shape::tuple({operand, norm.operand_shape(1), norm.operand_shape(1)});
}

}  // namespace

extern constinit const Op op_batch_norm_grad{
    .name = "batch-norm-grad",
    .min_operands = 5,
    .max_operands = 5,
    .attributes = kBatchNormAttributes,
    .infer = infer,
    .accuracy = {Accuracy::Kind::kFree}};

}  // namespace hlo
