#include "interpreter/convert_operand.h"

#include <stdexcept>

#include "interpreter/elementwise.h"

namespace hlo {

Literal converted(const Literal& operand, ElementType type,
                  const Evaluator& evaluator) {
  if (operand.type() == type) return operand;
  Instruction source;
  source.shape = operand.shape();
  Instruction convert;
  convert.op = find_op("convert");
  if (convert.op == nullptr) throw std::logic_error("no convert operation");
  convert.shape = operand.shape();
  convert.shape.element_type = type;
  convert.has_shape = true;
  convert.operands = {&source};
  return apply_elementwise(convert, Operands(&operand, 1), evaluator);
}

}  // namespace hlo
