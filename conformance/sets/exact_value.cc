#include "conformance/sets/exact_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;
using numeric::Rounded;

const FloatFormat& f64() { return numeric::format(ElementType::kF64); }

/// +, - and * as an exact sum.
ExactSum exact_sum(std::string_view name, std::span<const double> x) {
  ExactSum sum;
  if (name == "multiply") {
    sum.add_product(x[0], x[1]);
    return sum;
  }
  sum.add(x[0]);
  if (x.size() > 1) sum.add(name == "subtract" ? -x[1] : x[1]);
  return sum;
}

/// The sign of a / b - q, or of sqrt(a) - q.
int residual_sign(std::string_view name, std::span<const double> x, double q) {
  ExactSum sum;
  sum.add(x[0]);
  if (name == "sqrt") {
    sum.add_product(-q, q);
    return sign(sum);
  }
  sum.add_product(-q, x[1]);
  return x[1] < 0 ? -sign(sum) : sign(sum);
}

/// A finite quotient or root, rounded: double's is innocuous for narrower
/// formats, and correct for f64.
Rounded by_residual(std::string_view name, std::span<const double> x,
                    const FloatFormat& format) {
  const double value = name == "sqrt" ? std::sqrt(x[0]) : x[0] / x[1];
  const uint64_t code = numeric::encode(value, format);
  // A quotient by infinity is exactly zero.
  const bool is_exact = !std::isfinite(value) || std::isinf(x.back());
  if (is_exact) return {code, 0};
  if (!is_finite(code, format)) return {code, value < 0 ? 1 : -1};
  return {code, residual_sign(name, x, numeric::decode(code, format))};
}

bool is_one_of(std::string_view name,
               std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// r rounded to `format`; nothing where the operation has no such r.
std::optional<Rounded> round_to(const Op& op, std::span<const double> x,
                                const FloatFormat& format) {
  if (op.accuracy.function) {
    return numeric::evaluate(*op.accuracy.function, x[0], format);
  }
  if (op.accuracy.function2) {
    return numeric::evaluate(*op.accuracy.function2, x[0], x[1], format);
  }
  if (is_one_of(op.name, {"add", "subtract", "multiply", "convert"})) {
    return exact_sum(op.name, x).round(format);
  }
  if (is_one_of(op.name, {"divide", "sqrt"})) {
    return by_residual(op.name, x, format);
  }
  return std::nullopt;
}

double next(double value, int direction) {
  return std::nextafter(value, direction * HUGE_VAL);
}

}  // namespace

bool is_finite(uint64_t code, const FloatFormat& format) {
  return !numeric::is_nan(code, format) && !numeric::is_infinity(code, format);
}

int sign(const ExactSum& sum) {
  const Rounded rounded = sum.round(f64());
  const double value = numeric::decode(rounded.bits, f64());
  if (value != 0) return value < 0 ? -1 : 1;
  return rounded.side;
}

std::optional<ExactValue> exact_value(const Op& op,
                                      std::span<const double> operands,
                                      uint64_t rounded,
                                      const FloatFormat& format) {
  if (std::ranges::any_of(operands, [](double x) { return std::isnan(x); })) {
    return std::nullopt;
  }
  const auto own = round_to(op, operands, format);
  // An overflow may be NaN in the format, but the exact value is none.
  const auto real = own ? round_to(op, operands, f64()) : own;
  if (!real || numeric::is_nan(real->bits, f64())) return std::nullopt;
  ExactValue value{.rounded = {rounded, own->side}, .wide = std::nullopt};
  if (format.type != ElementType::kF64) {
    value.wide = real;
  }
  return value;
}

Enclosure enclosure(const ExactValue& value, const FloatFormat& format) {
  const Rounded& r = value.wide ? *value.wide : value.rounded;
  const FloatFormat& own = value.wide ? f64() : format;
  Enclosure e;
  e.base = numeric::decode(r.bits, own);
  e.is_exact = r.side == 0;
  if (e.is_exact) return e;
  const double reach = std::fabs(next(e.base, r.side) - e.base);
  // The nearest code is at most half a unit away; below the least subnormal
  // number there is no half.
  const double half = reach > 0x1p-1074 ? reach / 2 : reach;
  e.below = r.side > 0 ? 0 : -half;
  e.above = r.side > 0 ? half : 0;
  return e;
}

}  // namespace hlo::conformance
