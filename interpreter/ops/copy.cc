// spec/ops/copy.md
#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& copy) {
  Shape result = copy.operand_shape(0);
  const ElementType from = result.element_type;
  if (!copy.has_shape || copy.shape.element_type == from) return result;
  const ElementType to = copy.shape.element_type;
  require(is_float(from) && is_float(to), "copy.C1",
          {"the operand is ", from, " and the result ", to},
          "both must have the same element type, or be floats");
  result.element_type = to;
  return result;
}

/// The operand, or its floats as those of another type.
Literal value(const Instruction& copy, Operands operands, Evaluator&) {
  const Literal& operand = operands[0];
  const ElementType type = copy.shape.element_type;
  if (operand.shape().element_type == type) {
    return copy.shape.is_array() ? operand.with_shape(copy.shape) : operand;
  }
  Literal result(copy.shape);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    result.set(i, definition::convert(operand.at(i), type));
  }
  result.set_dynamic_sizes(operand.dynamic_sizes());
  return result;
}

}  // namespace

extern constinit const Op op_copy{.name = "copy",
                                  .form = Form::kIdentity,
                                  .min_operands = 1,
                                  .max_operands = 1,
                                  .infer = infer,
                                  .value = value,
                                  .accuracy = {.moves_data = true},
                                  .takes_sizes = true,
                                  .carries_async = true};

}  // namespace hlo
