#pragma once

#include <optional>
#include <span>
#include <string>

#include "conformance/explain/values/fraction.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// An exact real result: the number low = high, or one strictly between the
/// two, which then have no code of a format and no midpoint between them.
struct RealValue {
  Fraction low;
  Fraction high;

  static RealValue of(const Fraction& value) { return {value, value}; }

  bool is_known() const { return low == high; }

  /// A number that is rounded as this one.
  Fraction middle() const { return (low + high) * Fraction(0.5); }
};

/// f(x) or f(x, y) of a correctly rounded function; nothing where that is no
/// finite number.
std::optional<RealValue> function_value(const Accuracy& accuracy,
                                        std::span<const double> operands);
/// What is known of a value by its rounding to f64: nothing where that is no
/// finite number.
std::optional<RealValue> value_near(const numeric::Rounded& rounded);

std::string to_text(const RealValue& value);

/// How the value becomes a code of the format, in words: its neighbours, how
/// far it lies between them, and which one is taken by which rule.
std::string describe_rounding(const RealValue& value,
                              const numeric::FloatFormat& format);
/// The code that it becomes.
uint64_t rounded_code(const RealValue& value,
                      const numeric::FloatFormat& format);

}  // namespace hlo::conformance
