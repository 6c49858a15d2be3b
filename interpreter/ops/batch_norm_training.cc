// spec/ops/batch_norm_training.md
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& norm) {
  require_features(norm, "batch-norm-training.C1");
  require(are_feature_vectors(norm, 3), "batch-norm-training.C2",
          "scale and offset are float vectors with one element for each "
          "feature");
  return Shape::tuple(
      {norm.operand_shape(0), norm.operand_shape(1), norm.operand_shape(1)});
}

}  // namespace

extern constinit const Op op_batch_norm_training{
    .name = "batch-norm-training",
    .min_operands = 3,
    .max_operands = 3,
    .attributes = kBatchNormAttributes,
    .infer = infer,
    .accuracy = {Accuracy::Kind::kFree}};

}  // namespace hlo
