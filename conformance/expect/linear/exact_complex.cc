#include "conformance/expect/linear/exact_complex.h"

#include <algorithm>

#include "interpreter/definition/functions/elementary_complex.h"
#include "interpreter/definition/functions/real_functions.h"

namespace hlo::conformance {
namespace {

using definition::Complex;
using definition::Real;

std::optional<std::vector<Real>> parts_of(const Complex& z) {
  if (!isfinite(z)) return std::nullopt;
  return std::vector{z.re, z.im};
}

}  // namespace

std::optional<std::vector<Real>> exact_parts(const Instruction& instruction,
                                             Operands operands, int64_t i) {
  std::vector<Complex> values;
  for (const Literal& operand : operands) {
    const Scalar x = operand.at(i);
    values.push_back(definition::decode(
        definition::ComplexCode{x.bits[0], x.bits[1]}, x.type));
    if (!isfinite(values.back())) return std::nullopt;
  }
  if (!is_complex(instruction.shape.element_type)) {
    return std::vector{definition::rounded_to_odd(numeric::Function2::kHypot,
                                                  values[0].re, values[0].im)};
  }
  const Accuracy& accuracy = instruction.op->accuracy;
  if (accuracy.complex_function) {
    return parts_of(
        definition::evaluate(*accuracy.complex_function, values[0]));
  }
  if (accuracy.complex_function2) {
    return parts_of(definition::evaluate(*accuracy.complex_function2, values[0],
                                         values[1]));
  }
  return std::nullopt;
}

}  // namespace hlo::conformance
