// spec/ops/complex.md
#include <optional>

#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

constexpr Signature kSignature{.classes = {.real = true}};

Shape infer(const Instruction& complex) {
  Shape result = same_shape(complex, kSignature);
  const auto type = complex_type(result.element_type);
  require(type.has_value() && complex.operand_shape(0).element_type ==
                                  complex.operand_shape(1).element_type,
          "complex.C3", {"the operands are ", OperandShapes{complex}},
          "they must be both of type f32 or both of type f64");
  result.element_type = *type;
  return result;
}

Scalar element(const Instruction& complex, std::span<const Scalar> x) {
  return definition::join_parts(x[0], x[1], complex.shape.element_type);
}

std::optional<definition::Real> exact(std::span<const Scalar> x, size_t part) {
  return definition::real_of(x[part]);
}

}  // namespace

extern constinit const Op op_complex{
    .name = "complex",
    .min_operands = 2,
    .max_operands = 2,
    .infer = infer,
    .element = element,
    .accuracy = {.moves_data = true},
    .facts = {.formula = "{0} + {1} i", .exact = exact}};

}  // namespace hlo
