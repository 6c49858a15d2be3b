// spec/ops/imag.md
#include <optional>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

constexpr Signature kSignature{.classes = {.real = true, .complex = true},
                               .to_component = true};

Shape infer(const Instruction& imag) { return unary_shape(imag, kSignature); }

Scalar element(const Instruction& imag, std::span<const Scalar> x) {
  if (is_complex(x[0].type)) return definition::part_of(x[0], 1);
  return definition::as_scalar(definition::Real(0), imag.shape.element_type);
}

std::optional<definition::Real> exact(std::span<const Scalar> x, size_t) {
  if (is_complex(x[0].type)) {
    return definition::real_of(definition::part_of(x[0], 1));
  }
  return definition::Real(0);
}

}  // namespace

extern constinit const Op op_imag{
    .name = "imag",
    .min_operands = 1,
    .max_operands = 1,
    .infer = infer,
    .element = element,
    .accuracy = {.moves_data = true},
    .facts = {.formula = "the imaginary part of {0}", .exact = exact}};

}  // namespace hlo
