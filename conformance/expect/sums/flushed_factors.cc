#include "conformance/expect/sums/flushed_factors.h"

#include <cmath>
#include <limits>

#include "interpreter/definition/numbers/element_conversion.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

bool is_below_normal(double number, const FloatFormat& format) {
  return number != 0 &&
         std::fabs(number) < std::ldexp(1.0, format.min_exponent());
}

/// A real element, or a part of a complex one; a real one has no other part.
double part_of(const Scalar& x, size_t part) {
  if (part == 1 && !is_complex(x.type)) return 0;
  const ElementType type = component_type(x.type);
  if (is_float(type)) {
    return numeric::decode(x.bits.at(part), numeric::format(type));
  }
  const Scalar number = definition::convert(x, ElementType::kF64);
  return numeric::decode(number.bits[0], numeric::format(number.type));
}

}  // namespace

FactorReadings::FactorReadings(const Profile& profile,
                               const FloatFormat& result)
    : daz_(has_daz(profile)), flushes_(flushes(profile)), format_(result) {}

FactorReading FactorReadings::of(double number, ElementType type) const {
  FactorReading reading{.infinite = std::isinf(number)};
  if (is_float(type) && daz_) {
    reading.zero = is_below_normal(number, numeric::format(type));
  }
  if (type == format_.type) return reading;
  const FactorReading converted = of_computed(number);
  return {.zero = reading.zero || converted.zero,
          .infinite = reading.infinite || converted.infinite};
}

FactorReading FactorReadings::of(const Scalar& x, size_t part) const {
  return of(part_of(x, part), component_type(x.type));
}

FactorReading FactorReadings::of_computed(double number) const {
  const double rounded =
      numeric::decode(numeric::encode(number, format_), format_);
  return {.zero = flushes_ && is_below_normal(number, format_),
          .infinite = std::isinf(rounded)};
}

numeric::ExactSum sum_of_nan() {
  numeric::ExactSum sum;
  sum.add(std::numeric_limits<double>::quiet_NaN());
  return sum;
}

}  // namespace hlo::conformance
