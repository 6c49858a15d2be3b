// spec/ops/copy.md
#include "interpreter/error.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/evaluator.h"

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

Literal eval(const Instruction& copy, Operands operands, Evaluator& evaluator) {
  if (!copy.shape.is_array()) return operands[0];
  return converted(operands[0], copy.shape.element_type, evaluator.threads())
      .with_shape(copy.shape);
}

}  // namespace

extern constinit const Op op_copy{.name = "copy",
                                  .form = Form::kIdentity,
                                  .min_operands = 1,
                                  .max_operands = 1,
                                  .infer = infer,
                                  .eval = eval,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
