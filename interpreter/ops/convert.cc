// spec/ops/convert.md
#include <optional>

#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

Shape infer(const Instruction& convert) {
  const Shape& operand = convert.operand_shape(0);
  const Shape& given = given_shape(convert);
  require(operand.is_array() && given.is_array() && same_dims(operand, given),
          "convert.C1", {"the operand is ", operand, " and the result ", given},
          "they must be arrays of the same dimensions");
  require(!is_complex(operand.element_type) || is_complex(given.element_type),
          "convert.C2", {"the operand is ", operand, " and the result ", given},
          "complex numbers can be converted to a complex type only");
  Shape result = Shape::array(given.element_type, operand.dims);
  result.dynamic = operand.dynamic;
  return result;
}

Scalar element(const Instruction& convert, std::span<const Scalar> x) {
  return definition::convert(x[0], convert.shape.element_type);
}

std::optional<definition::Real> exact(std::span<const Scalar> x, size_t part) {
  const Scalar& own = x[0];
  if (is_complex(own.type)) {
    return definition::real_of(definition::part_of(own, part));
  }
  if (part != 0) return definition::Real(0);
  if (is_float(own.type)) return definition::real_of(own);
  return definition::Real(definition::integer_of(own, is_signed(own.type)));
}

}  // namespace

extern constinit const Op op_convert{
    .name = "convert",
    .min_operands = 1,
    .max_operands = 1,
    .infer = infer,
    .element = element,
    .facts = {.formula = "{0}",
              .exact = exact,
              .behaviour = monotone_on_integers(kOnAll),
              .arithmetic = Arithmetic::kCopy}};

}  // namespace hlo
