// spec/ops/real.md
#include <optional>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

constexpr Signature kSignature{.classes = {.real = true, .complex = true},
                               .to_component = true};

Shape infer(const Instruction& real) { return unary_shape(real, kSignature); }

// A float is its own real part.
Scalar element(const Instruction& /*real*/, std::span<const Scalar> x) {
  return definition::part_of(x[0], 0);
}

std::optional<definition::Real> exact(std::span<const Scalar> x, size_t) {
  return definition::real_of(definition::part_of(x[0], 0));
}

}  // namespace

extern constinit const Op op_real{
    .name = "real",
    .form = Form::kIdentity,
    .min_operands = 1,
    .max_operands = 1,
    .infer = infer,
    .element = element,
    .accuracy = {.moves_data = true},
    .facts = {.formula = "the real part of {0}", .exact = exact}};

}  // namespace hlo
