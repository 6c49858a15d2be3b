#include "conformance/sets/sum_class.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "conformance/literals/literal_bits.h"

namespace hlo::conformance {

using numeric::ExactSum;
using numeric::FloatFormat;

int lowest_bit(double value) {
  if (value == 0 || !std::isfinite(value)) {
    return std::numeric_limits<int>::max();
  }
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto digits = static_cast<int64_t>(std::ldexp(fraction, 53));
  return exponent - 53 + std::countr_zero(static_cast<uint64_t>(digits));
}

int quantum(const Literal& literal) {
  const FloatFormat& format = numeric::format(component_type(literal.type()));
  int lowest = std::numeric_limits<int>::max();
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const Scalar element = literal.at(i);
    for (int part = 0; part < components(literal.type()); ++part) {
      lowest = std::min(lowest,
                        lowest_bit(numeric::decode(
                            element.bits[static_cast<size_t>(part)], format)));
    }
  }
  return lowest;
}

bool is_exact_class(const ExactSum& sum, int64_t quantum,
                    const FloatFormat& format) {
  const double magnitude = sum.magnitude();
  if (magnitude == 0) return true;
  if (!std::isfinite(magnitude)) return false;
  if (quantum < format.min_exponent() - format.mantissa_bits) return false;
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);
  const int64_t top = exponent - (fraction == 0.5 ? 1 : 0);
  return top <= quantum + format.precision() &&
         magnitude <= numeric::decode(format.max_finite(), format);
}

double conversion_error(ElementType from, ElementType to) {
  const FloatFormat& result = numeric::format(component_type(to));
  const ElementType part = component_type(from);
  const int precision =
      is_float(part) ? numeric::format(part).precision() : bits(part);
  return precision > result.precision() ? std::ldexp(1.0, -result.precision())
                                        : 0;
}

double product_error(ElementType a, ElementType b, ElementType to) {
  const double first = conversion_error(a, to);
  const double second = conversion_error(b, to);
  return first + second + first * second;
}

bool is_far(double x, double y, const FloatFormat& format) {
  if (x == y || (std::isnan(x) && std::isnan(y))) return false;
  const double unit = std::ldexp(1.0, -format.precision());
  return !std::isfinite(y) || !(std::fabs(x - y) <= unit * std::fabs(y));
}

}  // namespace hlo::conformance
