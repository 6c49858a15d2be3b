// spec/ops/dynamic_reshape.md
#include "interpreter/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& reshape) {
  const Shape& result = given_shape(reshape);
  const Shape& operand = reshape.operand_shape(0);
  require(operand.is_array() && operand.element_type == result.element_type,
          "dynamic-reshape.C1", "operand and result are arrays of one type");
  require(operand.element_count() == result.element_count(),
          "dynamic-reshape.C2",
          "operand and result have the same number of elements");
  require(static_cast<int64_t>(reshape.operands.size()) == result.rank() + 1,
          "dynamic-reshape.C3",
          "there is one size for each dimension of the result");
  for (size_t i = 1; i < reshape.operands.size(); ++i) {
    require(
        compatible(reshape.operand_shape(i), Shape::scalar(ElementType::kS32)),
        "dynamic-reshape.C4", "sizes are s32 scalars");
  }
  return result;
}

}  // namespace

extern constinit const Op op_dynamic_reshape{.name = "dynamic-reshape",
                                             .min_operands = 1,
                                             .max_operands = -1,
                                             .infer = infer,
                                             .accuracy = {.moves_data = true}};

}  // namespace hlo
