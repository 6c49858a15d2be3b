#include "interpreter/definition/complex_elements.h"

#include <algorithm>

#include "interpreter/definition/numbers/exact_numbers.h"
#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {

Complex number_of(const Scalar& x) {
  const ElementType type = component_type(x.type);
  return {decode(x.bits[0], type),
          is_complex(x.type) ? decode(x.bits[1], type) : Real(0)};
}

Scalar element_of(const Complex& z, ElementType type) {
  const ElementType part = component_type(type);
  return {type,
          {encode(z.re + 0, part),
           is_complex(type) ? encode(z.im + 0, part) : uint64_t{0}}};
}

int64_t bits_of_integers(const std::vector<Complex>& numbers,
                         ElementType type) {
  std::vector<int64_t> exponents;
  for (const Complex& z : numbers) {
    for (const Real& part : {z.re, z.im}) {
      if (!isfinite(part) || is_zero(part)) continue;
      exponents.push_back(binary_exponent(rational(part)));
    }
  }
  if (exponents.empty()) return precision(component_type(type));
  const auto [least, largest] = std::ranges::minmax(exponents);
  return largest - least + precision(component_type(type));
}

}  // namespace hlo::definition
