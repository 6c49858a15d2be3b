#include "interpreter/numeric/complex/complex_special.h"

// spec/numerics.md, special values of complex functions: Annex G of C.
#include <cmath>
#include <limits>

#include "interpreter/numeric/complex/complex_cube_root.h"
#include "interpreter/numeric/complex/complex_functions.h"
#include "interpreter/numeric/complex/complex_inverse.h"
#include "interpreter/numeric/complex/complex_logarithm.h"
#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/rounding.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool finite(Parts z) { return std::isfinite(z.re) && std::isfinite(z.im); }

bool infinite(Parts z) { return std::isinf(z.re) || std::isinf(z.im); }

bool nan(Parts z) { return std::isnan(z.re) && std::isnan(z.im); }

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
  if (!vanishes) return {kInf, kNan};
  return {0, std::isinf(z.im) ? std::copysign(0, z.im) : 0};
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

// e^z where that vanishes, and 1 - e^-z where e^-z does.
Parts logistic(Parts z) {
  if (!std::isinf(z.re)) return {kNan, kNan};
  const Parts trifle = exponential({-kInf, z.im});
  return {z.re > 0 ? 1 : trifle.re, trifle.im};
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

RoundedComplex logarithm(Parts z, unsigned base, const FloatFormat& format) {
  double modulus = kNan;
  if (infinite(z)) modulus = kInf;
  return {exactly(modulus, format), angle(z.im, z.re, base, format)};
}

// 2^z turns by y log 2.
Parts exponential2(Parts z) {
  if (!std::isinf(z.re) || !std::isfinite(z.im) || z.im == 0) {
    return exponential(z);
  }
  const FloatFormat& f64 = format(ElementType::kF64);
  const RoundedComplex unit =
      evaluate(ComplexFunction::kExponential2, {0, z.im}, f64);
  const double size = z.re < 0 ? 0 : kInf;
  return {std::copysign(size, decode(unit.re.bits, f64)),
          std::copysign(size, decode(unit.im.bits, f64))};
}

Parts exponential_minus_one(Parts z) {
  const Parts power = exponential(z);
  return {power.re - 1, power.im};
}

Parts hyperbolic_sine(Parts z) {
  if (z.im == 0) return z;
  if (z.re == 0) return {z.re, kNan};
  if (!std::isinf(z.re)) return {kNan, kNan};
  if (!std::isfinite(z.im)) return {z.re, kNan};
  const Parts side = towards(kInf, z.im);
  return {std::copysign(1, z.re) * side.re, side.im};
}

Parts hyperbolic_cosine(Parts z) {
  if (z.im == 0) {
    const double zero = std::isnan(z.re) ? z.im : std::copysign(1, z.re) * z.im;
    return {std::abs(z.re), zero};
  }
  if (z.re == 0) return {kNan, 0};
  if (!std::isinf(z.re)) return {kNan, kNan};
  if (!std::isfinite(z.im)) return {kInf, kNan};
  const Parts side = towards(kInf, z.im);
  return {side.re, std::copysign(1, z.re) * side.im};
}

// The angle of |x| + i|y| or x + i|y|, with the sign of y.
Rounded slope(Parts z, bool whole, const FloatFormat& format) {
  const double run = whole ? z.re : std::abs(z.re);
  return with_sign(angle(std::abs(z.im), run, 1, format), std::signbit(z.im),
                   format);
}

RoundedComplex inverse_sine(Parts z, const FloatFormat& format) {
  if (infinite(z)) {
    const double size = std::copysign(kInf, z.re);
    return {exactly(size, format), slope(z, false, format)};
  }
  const double zero = z.im == 0 ? z.im : kNan;
  return {exactly(kNan, format), exactly(zero, format)};
}

// acosh: the modulus and the angle of acos.
RoundedComplex inverse_cosine(Parts z, const FloatFormat& format) {
  if (infinite(z)) return {exactly(kInf, format), slope(z, true, format)};
  if (z.re == 0) {  // beside NaN
    return {exactly(kNan, format), slope({0, kInf}, true, format)};
  }
  return exactly(Parts{kNan, kNan}, format);
}

RoundedComplex inverse_tangent(Parts z, const FloatFormat& format) {
  const Rounded zero = exactly(std::copysign(0, z.re), format);
  const Rounded right = slope({0, std::copysign(kInf, z.im)}, false, format);
  if (std::isinf(z.im)) return {zero, right};
  if (std::isinf(z.re)) {
    return {zero, std::isnan(z.im) ? exactly(kNan, format) : right};
  }
  if (z.re == 0) return {exactly(z.re, format), exactly(kNan, format)};
  return exactly(Parts{kNan, kNan}, format);
}

// A third of the angle: 0 only where z lies along the positive axis.
Parts cube_root(Parts z) {
  if (std::isinf(z.im)) return {kInf, z.im};
  if (!std::isinf(z.re)) return {kNan, kNan};
  if (std::isnan(z.im)) return {kInf, kNan};
  return {kInf, std::copysign(z.re > 0 ? 0 : kInf, z.im)};
}

Parts arc_kernel(Parts z) {
  if (!infinite(z)) return {kNan, kNan};
  return {std::abs(z.im), kInf};
}

RoundedComplex by_formula(ComplexFunction function, Parts z,
                          const FloatFormat& format) {
  switch (function) {
    case ComplexFunction::kLog2:
      return logarithm(z, 2, format);
    case ComplexFunction::kLog10:
      return logarithm(z, 10, format);
    case ComplexFunction::kAsinh:
      return inverse_sine(z, format);
    case ComplexFunction::kAcosh:
      return inverse_cosine(z, format);
    case ComplexFunction::kAcos: {
      const RoundedComplex value =
          inverse_cosine({z.re, std::abs(z.im)}, format);
      return {value.im, with_sign(value.re, !std::signbit(z.im), format)};
    }
    case ComplexFunction::kAtanh:
      return inverse_tangent(z, format);
    default:
      return logarithm(z, 1, format);
  }
}

// The value, or its sign where that is lost.
double with_side(const Rounded& rounded, const FloatFormat& format) {
  const double value = decode(rounded.bits, format);
  return value == 0 && rounded.side != 0 ? rounded.side : value;
}

// exp(y log x) in these steps.
Parts power_by_steps(Parts x, Parts y) {
  const FloatFormat& f64 = format(ElementType::kF64);
  const RoundedComplex log = finite(x) ? evaluate(ComplexFunction::kLog, x, f64)
                                       : logarithm(x, 1, f64);
  return exponential(
      multiply(y, {with_side(log.re, f64), with_side(log.im, f64)}));
}

std::optional<Parts> power(Parts x, Parts y) {
  if (y == Parts{0, 0} || x == Parts{1, 0}) return Parts{1, 0};
  if (x == Parts{kInf, 0} && y.im == 0 && !std::isnan(y.re)) {
    return Parts{y.re > 0 ? kInf : 0, 0};
  }
  if (!finite(x) || !finite(y)) return power_by_steps(x, y);
  if (x != Parts{0, 0}) return std::nullopt;
  if (y.re > 0) return Parts{0, 0};
  if (y.re < 0) return Parts{kInf, kNan};
  return Parts{kNan, kNan};
}

// -i log((x + iy) / sqrt(x^2 + y^2)): a quotient of infinities is NaN. Where
// y = ix or y = -ix, only the real part has no limit.
std::optional<Parts> angle_of(Parts y, Parts x) {
  if (!finite(y) || !finite(x)) return Parts{kNan, kNan};
  const bool above = y == Parts{-x.im, x.re};
  const bool below = y == Parts{x.im, -x.re};
  if (above && below) return Parts{kNan, kNan};
  if (above || below) return Parts{kNan, above ? kInf : -kInf};
  return std::nullopt;
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
    case ComplexFunction::kTanh:
      return exactly(tangent(z), format);
    case ComplexFunction::kLogistic:
      return exactly(logistic(z), format);
    case ComplexFunction::kExponential2:
      return exactly(exponential2(z), format);
    case ComplexFunction::kExponentialMinusOne:
      return exactly(exponential_minus_one(z), format);
    case ComplexFunction::kSinh:
      return exactly(hyperbolic_sine(z), format);
    case ComplexFunction::kCosh:
      return exactly(hyperbolic_cosine(z), format);
    case ComplexFunction::kCbrt:
      return exactly(cube_root(z), format);
    case ComplexFunction::kAsinAcosKernel:
      return exactly(arc_kernel(z), format);
    default:
      return by_formula(function, z, format);
  }
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
  if (function == ComplexFunction2::kPower) {
    if (const auto value = power(x, y)) return exactly(*value, format);
  }
  if (function == ComplexFunction2::kAtan2) {
    if (const auto value = angle_of(x, y)) return exactly(*value, format);
  }
  return std::nullopt;
}

}  // namespace hlo::numeric
