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

FlushedProducts::FlushedProducts(const Contraction* plan,
                                 const Instruction& instruction,
                                 Operands operands, const Profile& profile)
    : is_complex_(is_complex(instruction.shape.element_type)) {
  if (!flushes(profile)) return;
  const FactorReadings readings(
      profile, numeric::format(component_type(instruction.shape.element_type)));
  FactorReading any;
  for (size_t k = 0; k < 2; ++k) {
    for (int64_t i = 0; i < operands[k].element_count(); ++i) {
      for (size_t part = 0; part < (is_complex_ ? 2 : 1); ++part) {
        const FactorReading own = readings.of(operands[k].at(i), part);
        operands_.at(k).at(part).push_back(own);
        any.zero = any.zero || own.zero;
        any.infinite = any.infinite || own.infinite;
      }
    }
  }
  if (may_be_nan(any, any)) factors_.emplace(plan, instruction, operands);
}

bool FlushedProducts::are_nan(int64_t position, bool imaginary) {
  if (!factors_) return false;
  bool found = false;
  factors_->for_each_term(position, [&](size_t left, size_t right) {
    found = found || may_be_nan_at(left, right, imaginary);
  });
  return found;
}

bool FlushedProducts::may_be_nan_at(size_t left, size_t right,
                                    bool imaginary) const {
  const auto& [a, b] = operands_;
  const size_t other = imaginary ? 1 : 0;
  return may_be_nan(a[0][left], b.at(other)[right]) ||
         (is_complex_ && may_be_nan(a[1][left], b.at(1 - other)[right]));
}

numeric::ExactSum sum_of_nan() {
  numeric::ExactSum sum;
  sum.add(std::numeric_limits<double>::quiet_NaN());
  return sum;
}

}  // namespace hlo::conformance
