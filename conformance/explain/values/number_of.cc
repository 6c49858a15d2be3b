#include "conformance/explain/values/number_of.h"

#include <cmath>

#include "interpreter/definition/numbers/exact_numbers.h"
#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {

std::vector<double> parts_of(const Scalar& scalar) {
  const numeric::FloatFormat& format =
      numeric::format(component_type(scalar.type));
  std::vector<double> parts = {numeric::decode(scalar.bits[0], format)};
  if (is_complex(scalar.type)) {
    parts.push_back(numeric::decode(scalar.bits[1], format));
  }
  return parts;
}

std::optional<Fraction> number_of(const Scalar& scalar) {
  if (is_complex(scalar.type)) return std::nullopt;
  if (is_float(scalar.type)) {
    const double value = parts_of(scalar)[0];
    if (!std::isfinite(value)) return std::nullopt;
    return Fraction(value);
  }
  if (!is_signed(scalar.type)) return Fraction::of(scalar.bits[0]);
  const int shift = 64 - bits(scalar.type);
  return Fraction::of(static_cast<int64_t>(scalar.bits[0] << shift) >> shift);
}

std::optional<Fraction> exact_part(const Op& op,
                                   std::span<const Scalar> operands,
                                   size_t part) {
  if (op.facts.exact == nullptr) return std::nullopt;
  const auto exact = op.facts.exact(operands, part);
  if (!exact || !isfinite(*exact)) return std::nullopt;
  Fraction number;
  mpq_set(number.get(), definition::rational(*exact).backend().data());
  return number;
}

}  // namespace hlo::conformance
