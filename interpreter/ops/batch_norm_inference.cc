// spec/ops/batch_norm_inference.md
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& norm) {
  require_features(norm, "batch-norm-inference.C1");
  require(are_feature_vectors(norm, 5), "batch-norm-inference.C2",
          "scale, offset, mean and variance are float vectors with one element "
          "for each feature");
  return norm.operand_shape(0);
}

}  // namespace

extern constinit const Op op_batch_norm_inference{
    .name = "batch-norm-inference",
    .min_operands = 5,
    .max_operands = 5,
    .attributes = kBatchNormAttributes,
    .infer = infer,
    .accuracy = {Accuracy::Kind::kFree}};

}  // namespace hlo
