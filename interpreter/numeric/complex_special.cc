// spec/numerics.md, special values of complex functions: Annex G of C.
#include <cmath>
#include <limits>

#include "interpreter/numeric/complex_parts.h"
#include "interpreter/numeric/functions.h"
#include "interpreter/numeric/rounding.h"

namespace hlo::numeric {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool finite(Parts z) { return std::isfinite(z.re) && std::isfinite(z.im); }

bool infinite(Parts z) { return std::isinf(z.re) || std::isinf(z.im); }

bool nan(Parts z) { return std::isnan(z.re) && std::isnan(z.im); }

Rounded exactly(double value, const FloatFormat& format) {
  return {encode(value, format), 0};
}

RoundedComplex exactly(Parts z, const FloatFormat& format) {
  return {exactly(z.re, format), exactly(z.im, format)};
}

// Where infinities decide, only the signs of the finite parts matter: 1 stands
// for them, so that nothing overflows on the way.
Parts signs(Parts z) {
  const auto unit = [](double x) {
    return std::isfinite(x) && x != 0 ? std::copysign(1, x) : x;
  };
  return {unit(z.re), unit(z.im)};
}

// An infinity becomes a unit, all else a zero, with the sign it had.
Parts box(Parts z) {
  const auto side = [](double x) {
    return std::copysign(std::isinf(x) ? 1 : 0, x);
  };
  return {side(z.re), side(z.im)};
}

Parts zeros_for_nans(Parts z) {
  const auto zero = [](double x) {
    return std::isnan(x) ? std::copysign(0.0, x) : x;
  };
  return {zero(z.re), zero(z.im)};
}

Parts product(Parts x, Parts y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

Parts multiply(Parts x, Parts y) {
  const Parts plain = product(signs(x), signs(y));
  if (!nan(plain) || (!infinite(x) && !infinite(y))) return plain;
  // G.5.1: an infinity times what is not zero is an infinity.
  const Parts left = infinite(x) ? box(x) : zeros_for_nans(x);
  const Parts right = infinite(y) ? box(y) : zeros_for_nans(y);
  const Parts direction = product(left, right);
  return {kInf * direction.re, kInf * direction.im};
}

// x * conj(y), the numerator of a quotient.
Parts numerator(Parts x, Parts y) {
  return {x.re * y.re + x.im * y.im, x.im * y.re - x.re * y.im};
}

Parts divide(Parts x, Parts y) {
  const Parts unit = signs(y);
  const double norm = unit.re * unit.re + unit.im * unit.im;
  const Parts top = numerator(signs(x), unit);
  const Parts plain{top.re / norm, top.im / norm};
  if (!nan(plain)) return plain;
  if (norm == 0 && !nan(x)) {
    const double pole = std::copysign(kInf, y.re);
    return {pole * x.re, pole * x.im};
  }
  if (infinite(x) && finite(y)) {
    const Parts direction = numerator(box(x), y);
    return {kInf * direction.re, kInf * direction.im};
  }
  if (infinite(y) && finite(x)) {
    const Parts direction = numerator(x, box(y));
    return {std::copysign(0, direction.re), std::copysign(0, direction.im)};
  }
  return plain;
}

// magnitude * (cos angle, sin angle) where the magnitude is 0 or infinite.
Parts towards(double magnitude, double angle) {
  const FloatFormat& f64 = format(ElementType::kF64);
  const double cosine =
      decode(evaluate(Function::kCosine, angle, f64).bits, f64);
  const double sine = decode(evaluate(Function::kSine, angle, f64).bits, f64);
  return {std::copysign(magnitude, cosine), std::copysign(magnitude, sine)};
}

Parts exponential(Parts z) {
  if (z.im == 0) {
    const double value = std::isnan(z.re) ? kNan : (z.re > 0 ? kInf : 0);
    return {value, z.im};
  }
  if (std::isnan(z.re)) return {kNan, kNan};
  if (std::isfinite(z.re)) return {kNan, kNan};
  const bool vanishes = z.re < 0;
  if (std::isfinite(z.im)) return towards(vanishes ? 0 : kInf, z.im);
  return vanishes ? Parts{0, 0} : Parts{kInf, kNan};
}

Parts square_root(Parts z) {
  if (std::isinf(z.im)) return {kInf, z.im};
  if (!std::isinf(z.re)) return {kNan, kNan};
  if (z.re > 0) return {z.re, std::isnan(z.im) ? kNan : std::copysign(0, z.im)};
  if (std::isnan(z.im)) return {kNan, kInf};
  return {0, std::copysign(kInf, z.im)};
}

Parts tangent(Parts z) {
  if (std::isinf(z.re)) {
    const double one = std::copysign(1, z.re);
    if (!std::isfinite(z.im)) return {one, std::copysign(0, z.im)};
    const Parts half = towards(1, z.im);  // sin 2y = 2 sin y cos y
    return {one, z.im == 0 ? z.im : std::copysign(0, half.re * half.im)};
  }
  if (std::isnan(z.re)) return {kNan, z.im == 0 ? z.im : kNan};
  return {z.re == 0 ? z.re : kNan, kNan};
}

// 1 / (1 + exp(-z)) in these steps.
Parts logistic(Parts z) {
  const Parts power = exponential({-z.re, -z.im});
  return divide({1, 0}, {1 + power.re, power.im});
}

Parts reciprocal_root(Parts z) {
  if (infinite(z)) return {0, std::copysign(0, -z.im)};
  return z == Parts{0, 0} ? Parts{kInf, kNan} : Parts{kNan, kNan};
}

Parts sign(Parts z) {
  if (std::isnan(z.re) || std::isnan(z.im)) return {kNan, kNan};
  const auto over_infinity = [](double x) {
    return std::isinf(x) ? kNan : std::copysign(0, x);
  };
  return {over_infinity(z.re), over_infinity(z.im)};
}

RoundedComplex logarithm(Parts z, const FloatFormat& format) {
  double modulus = kNan;
  if (infinite(z)) modulus = kInf;
  return {exactly(modulus, format),
          evaluate(Function2::kAtan2, z.im, z.re, format)};
}

}  // namespace

std::optional<RoundedComplex> special(ComplexFunction function, Parts z,
                                      const FloatFormat& format) {
  const bool pole = function == ComplexFunction::kRsqrt && z == Parts{0, 0};
  if (finite(z) && !pole) return std::nullopt;
  switch (function) {
    case ComplexFunction::kNegate:
      return exactly(Parts{-z.re, -z.im}, format);
    case ComplexFunction::kSign:
      return exactly(sign(z), format);
    case ComplexFunction::kSqrt:
      return exactly(square_root(z), format);
    case ComplexFunction::kRsqrt:
      return exactly(reciprocal_root(z), format);
    case ComplexFunction::kExponential:
      return exactly(exponential(z), format);
    case ComplexFunction::kLog:
      return logarithm(z, format);
    case ComplexFunction::kTanh:
      return exactly(tangent(z), format);
    case ComplexFunction::kLogistic:
      return exactly(logistic(z), format);
  }
  return std::nullopt;
}

std::optional<RoundedComplex> special2(ComplexFunction2 function, Parts x,
                                       Parts y, const FloatFormat& format) {
  if (function == ComplexFunction2::kMultiply) {
    if (finite(x) && finite(y)) return std::nullopt;
    return exactly(multiply(x, y), format);
  }
  if (function == ComplexFunction2::kDivide) {
    if (finite(x) && finite(y) && y != Parts{0, 0}) return std::nullopt;
    return exactly(divide(x, y), format);
  }
  return std::nullopt;
}

}  // namespace hlo::numeric
