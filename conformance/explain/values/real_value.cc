#include "conformance/explain/values/real_value.h"

#include <fmt/format.h>

#include <cmath>

#include "conformance/literals/literal_bits.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/special/mpfr_functions.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

std::string code_text(uint64_t code, const FloatFormat& format) {
  const Scalar scalar{format.type, {code, 0}};
  return text::print(scalar) + " (" + print_bits(scalar) + ")";
}

std::string type_text(const FloatFormat& format) {
  return std::string(info(format.type).name);
}

/// The number that MPFR rounded toward zero, with an error of that sign.
std::optional<RealValue> enclosed(const numeric::Real& truncated, int ternary) {
  constexpr mpfr_exp_t kFar = 20000;  // beyond every format
  if (mpfr_number_p(truncated.get()) == 0) return std::nullopt;
  if (mpfr_zero_p(truncated.get()) != 0) {
    if (ternary != 0) return std::nullopt;
    return RealValue::of(Fraction());
  }
  if (std::abs(mpfr_get_exp(truncated.get())) > kFar) return std::nullopt;
  RealValue value;
  mpfr_get_q(value.low.get(), truncated.get());
  value.high = value.low;
  if (ternary == 0) return value;
  const Fraction unit = Fraction::power_of_two(mpfr_get_exp(truncated.get()) -
                                               mpfr_get_prec(truncated.get()));
  if (value.low.sign() < 0) {
    value.low = value.low - unit;
  } else {
    value.high = value.high + unit;
  }
  return value;
}

/// The codes on both sides of a value that is none itself.
struct Neighbours {
  uint64_t low;
  uint64_t high;
};

std::optional<Neighbours> neighbours(const numeric::Rounded& rounded,
                                     const FloatFormat& format) {
  if (numeric::is_nan(rounded.bits, format) ||
      numeric::is_infinity(rounded.bits, format)) {
    return std::nullopt;
  }
  const auto other = numeric::from_ordinal(
      numeric::ordinal(rounded.bits, format) + rounded.side, format);
  if (!other || numeric::is_infinity(*other, format)) return std::nullopt;
  if (rounded.side > 0) return Neighbours{rounded.bits, *other};
  return Neighbours{*other, rounded.bits};
}

/// What a value becomes that has no neighbours in the format.
std::string describe_overflow(const Fraction& value, uint64_t code,
                              const FloatFormat& format) {
  const bool has_zero = format.specials != numeric::Specials::kE8M0;
  if (!has_zero && value < Fraction(numeric::decode(0, format))) {
    return fmt::format(
        "rounds to {}: {}, the value is below the numbers of {} (the least is "
        "{})",
        type_text(format), code_text(code, format), type_text(format),
        code_text(0, format));
  }
  return fmt::format(
      "rounds to {}: {}, the value is beyond the numbers of {} "
      "(the largest is {})",
      type_text(format), code_text(code, format), type_text(format),
      code_text(format.max_finite(), format));
}

}  // namespace

std::optional<RealValue> function_value(const Accuracy& accuracy,
                                        std::span<const double> operands) {
  constexpr mpfr_prec_t kPrecision = 128;
  numeric::Real result(kPrecision);
  int ternary = 0;
  if (accuracy.function) {
    ternary = numeric::evaluate(*accuracy.function, operands[0], result);
  } else if (accuracy.function2) {
    ternary = numeric::evaluate(*accuracy.function2, operands[0], operands[1],
                                result);
  } else {
    return std::nullopt;
  }
  return enclosed(result, ternary);
}

std::optional<RealValue> value_near(const numeric::Rounded& rounded) {
  const double value =
      numeric::decode(rounded.bits, numeric::format(ElementType::kF64));
  if (!std::isfinite(value)) return std::nullopt;
  const Fraction known(value);
  if (rounded.side == 0) return RealValue::of(known);
  const double next = std::nextafter(value, rounded.side * HUGE_VAL);
  if (!std::isfinite(next)) return std::nullopt;
  // The nearest code is half a unit away at most.
  const Fraction end = (known + Fraction(next)) * Fraction(0.5);
  return rounded.side > 0 ? RealValue{known, end} : RealValue{end, known};
}

std::string to_text(const RealValue& value) {
  return value.is_known() ? to_text(value.low)
                          : shared_digits(value.low, value.high);
}

uint64_t rounded_code(const RealValue& value, const FloatFormat& format) {
  return value.middle().round(format).bits;
}

std::string describe_rounding(const RealValue& value,
                              const FloatFormat& format) {
  const Fraction middle = value.middle();
  const numeric::Rounded rounded = middle.round(format);
  if (rounded.side == 0 && !numeric::is_nan(rounded.bits, format) &&
      !numeric::is_infinity(rounded.bits, format)) {
    return value.is_known() ? fmt::format("exact in {}: nothing is rounded",
                                          type_text(format))
                            : fmt::format("nearest to {} of {}",
                                          code_text(rounded.bits, format),
                                          type_text(format));
  }
  const auto sides = neighbours(rounded, format);
  if (!sides) return describe_overflow(middle, rounded.bits, format);
  const Fraction low(numeric::decode(sides->low, format));
  const Fraction high(numeric::decode(sides->high, format));
  const Fraction way = (middle - low) / (high - low);
  const bool tie = value.is_known() && way == Fraction(0.5);
  constexpr int kDigits = 4;
  const std::string_view rule = !tie ? "the nearer"
                                : format.specials == numeric::Specials::kE8M0
                                    ? "a tie: the larger"
                                    : "a tie: the even code";
  return fmt::format("between {} and {} of {}, {} of the way: {}, {}",
                     code_text(sides->low, format),
                     code_text(sides->high, format), type_text(format),
                     to_decimal(way, kDigits), rule,
                     code_text(rounded.bits, format));
}

}  // namespace hlo::conformance
