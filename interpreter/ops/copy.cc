// spec/ops/copy.md
#include "interpreter/convert.h"
#include "interpreter/error.h"
#include "interpreter/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& copy) {
  const Shape& operand = copy.operand_shape(0);
  const Shape& given = copy.shape;
  if (!copy.has_shape || !operand.is_array()) return operand;
  require(same_dims(operand, given), "copy.C1",
          "operand and result have the same dimensions");
  Shape result = Shape::array(given.element_type, operand.dims);
  result.dynamic = operand.dynamic;
  require(given.element_type == operand.element_type ||
              (is_float(operand.element_type) && is_float(given.element_type)),
          "copy.C2",
          "operand and result have the same element type, or both are floats");
  return result;
}

Literal eval(const Instruction& copy, Operands operands, Evaluator& evaluator) {
  if (!copy.shape.is_array()) return operands[0];
  return convert_literal(operands[0], copy.shape.element_type, evaluator)
      .with_shape(copy.shape);
}

}  // namespace

extern constinit const Op op_copy{.name = "copy",
                                  .min_operands = 1,
                                  .max_operands = 1,
                                  .infer = infer,
                                  .eval = eval,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
