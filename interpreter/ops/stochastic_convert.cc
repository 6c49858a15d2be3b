// spec/ops/stochastic_convert.md
#include "interpreter/elementwise.h"
#include "interpreter/error.h"

namespace hlo {
namespace {

Shape infer(const Instruction& convert) {
  const Shape& operand = convert.operand_shape(0);
  const Shape& random = convert.operand_shape(1);
  const Shape& given = given_shape(convert);
  require(is_float(operand.element_type), "stochastic-convert.C1",
          "the first operand is of a float type");
  require(is_unsigned(random.element_type) &&
              bits(random.element_type) == bits(operand.element_type),
          "stochastic-convert.C2",
          "the second operand is of the unsigned type as wide as the first's");
  require(same_dims(operand, random) && same_dims(operand, given),
          "stochastic-convert.C3",
          "operands and result have the same dimensions");
  require(is_signed(given.element_type) || is_float(given.element_type),
          "stochastic-convert.C4",
          "the result is of a signed integer or float type");
  Shape result = Shape::array(given.element_type, operand.dims);
  add_dynamic_marks(result, operand);
  add_dynamic_marks(result, random);
  return result;
}

}  // namespace

extern constinit const Op op_stochastic_convert{.name = "stochastic-convert",
                                                .min_operands = 2,
                                                .max_operands = 2,
                                                .infer = infer};

}  // namespace hlo
