// spec/ops/convert.md
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

}  // namespace

extern constinit const Op op_convert{.name = "convert",
                                     .min_operands = 1,
                                     .max_operands = 1,
                                     .infer = infer,
                                     .element = element};

}  // namespace hlo
