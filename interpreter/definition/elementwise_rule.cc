#include "interpreter/definition/elementwise_rule.h"

namespace hlo {

bool Classes::contains(ElementType type) const {
  switch (type_class(type)) {
    case TypeClass::kPred:
      return pred;
    case TypeClass::kSigned:
      return is_signed;
    case TypeClass::kUnsigned:
      return is_unsigned;
    case TypeClass::kFloat:
      return real;
    case TypeClass::kComplex:
      return complex;
    case TypeClass::kNone:
      break;
  }
  return false;
}

std::optional<ElementType> Signature::result_type(ElementType operand) const {
  if (!classes.contains(operand)) return std::nullopt;
  if (to_pred.contains(operand)) return ElementType::kPred;
  return to_component ? component_type(operand) : operand;
}

}  // namespace hlo
