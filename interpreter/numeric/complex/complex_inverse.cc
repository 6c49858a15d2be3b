#include "interpreter/numeric/complex/complex_inverse.h"

// Inverse functions of finite complex numbers, part by part. For
// x + iy = sin(u + iv), S = sinh^2 v and C = cos^2 u satisfy S C = y^2 and
// S - C = x^2 + y^2 - 1 = m, an exact number: the larger of them is
// (|m| + sqrt(m^2 + 4 y^2)) / 2, and nothing cancels. tan u is x over
// sqrt((1 + S) C). u and v are transcendental where they are not 0, as
// exp(iu), exp(v) are algebraic (Lindemann).
#include <mpfr.h>

#include <cmath>

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/real/enclosure.h"
#include "interpreter/numeric/real/refine.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

// m and the sums below are exact.
constexpr mpfr_prec_t kExact = 4400;

void add_one(Enclosure& a) {
  mpfr_add_ui(a.low.get(), a.low.get(), 1, MPFR_RNDD);
  mpfr_add_ui(a.high.get(), a.high.get(), 1, MPFR_RNDU);
}

void halve(Enclosure& a) {
  mpfr_div_2ui(a.low.get(), a.low.get(), 1, MPFR_RNDD);
  mpfr_div_2ui(a.high.get(), a.high.get(), 1, MPFR_RNDU);
}

// x^2 + y^2 - 1.
void set_excess(Real& m, Parts z) {
  const ExactPair norm(z.re, z.re, z.im, z.im);
  mpfr_sub_ui(m.get(), norm.get(), 1, MPFR_RNDN);
}

/// S and C for y not 0.
struct Squares {
  Squares(mpfr_prec_t precision, const Real& excess, double y)
      : sinh(precision), cosine(precision) {
    Real square(106);
    Real imaginary(53);
    set(imaginary, y);
    mpfr_sqr(square.get(), imaginary.get(), MPFR_RNDN);
    const bool outside = mpfr_sgn(excess.get()) > 0;
    Enclosure& large = outside ? sinh : cosine;
    Enclosure& small = outside ? cosine : sinh;
    Real size(kExact);
    mpfr_abs(size.get(), excess.get(), MPFR_RNDN);
    enclose(small, size.get());
    enclose(large, size.get());
    apply(large, mpfr_sqr);
    Enclosure part(precision);
    enclose(part, square.get());
    scale(part, 4);
    add(large, part);
    apply(large, mpfr_sqrt);
    add(large, small);
    halve(large);
    enclose(small, square.get());
    divide(small, large);
  }

  Enclosure sinh;
  Enclosure cosine;
};

// The size of v.
Rounded height(Parts z, const FloatFormat& format) {
  Real excess(kExact);
  set_excess(excess, z);
  return round_enclosure(format, [&](Enclosure& value) {
    Squares squares(value.precision(), excess, z.im);
    enclose(value, squares.sinh.low.get());
    mpfr_set(value.high.get(), squares.sinh.high.get(), MPFR_RNDU);
    apply(value, mpfr_sqrt);
    apply(value, mpfr_asinh);
  });
}

// sqrt((1 + S) C).
void enclose_run(Enclosure& run, const Real& excess, double y) {
  Squares squares(run.precision(), excess, y);
  mpfr_set(run.low.get(), squares.sinh.low.get(), MPFR_RNDD);
  mpfr_set(run.high.get(), squares.sinh.high.get(), MPFR_RNDU);
  add_one(run);
  multiply(run, squares.cosine);
  apply(run, mpfr_sqrt);
}

// u for x > 0, or pi/2 - u, the angle of the arc cosine, for any x.
Rounded arc(Parts z, bool of_cosine, const FloatFormat& format) {
  Real excess(kExact);
  Real x(53);
  set_excess(excess, z);
  set(x, z.re);
  return round_enclosure(format, [&](Enclosure& value) {
    Enclosure run(value.precision());
    enclose_run(run, excess, z.im);
    const auto angle_at = [&](Real& result, const Real& at, mpfr_rnd_t mode) {
      mpfr_atan2(result.get(), of_cosine ? at.get() : x.get(),
                 of_cosine ? x.get() : at.get(), mode);
    };
    const bool grows = of_cosine && z.re >= 0;
    angle_at(value.low, grows ? run.low : run.high, MPFR_RNDD);
    angle_at(value.high, grows ? run.high : run.low, MPFR_RNDU);
  });
}

// pi/2 or pi, or a value of acos where `x` lies in [-1, 1].
Rounded arc_cosine_of_real(double x, const FloatFormat& format) {
  if (x > 1) return exactly(0, format);
  return evaluate(Function::kAcos, std::fmax(x, -1), format);
}

// Its real part, and the size of the imaginary part.
RoundedComplex arc_cosine(Parts z, const FloatFormat& format) {
  if (z.im != 0) return {arc(z, true, format), height(z, format)};
  const double size = std::fmax(std::abs(z.re), 1);
  return {arc_cosine_of_real(z.re, format),
          evaluate(Function::kAcosh, size, format)};
}

RoundedComplex acos(Parts z, const FloatFormat& format) {
  const RoundedComplex value = arc_cosine(z, format);
  return {value.re, with_sign(value.im, !std::signbit(z.im), format)};
}

RoundedComplex acosh(Parts z, const FloatFormat& format) {
  const RoundedComplex value = arc_cosine(z, format);
  return {value.im, with_sign(value.re, std::signbit(z.im), format)};
}

// The parts of the arc sine of y + ix in the other order.
RoundedComplex asinh(Parts z, const FloatFormat& format) {
  if (z.im == 0) {
    return {evaluate(Function::kAsinh, z.re, format), exactly(z.im, format)};
  }
  const bool left = std::signbit(z.re);
  const bool below = std::signbit(z.im);
  const double size = std::abs(z.im);
  if (z.re == 0) {
    const Rounded rise = evaluate(Function::kAcosh, std::fmax(size, 1), format);
    const Rounded turned =
        evaluate(Function::kAsin, std::fmin(size, 1), format);
    return {with_sign(rise, left, format), with_sign(turned, below, format)};
  }
  const Parts turned{size, z.re};
  return {with_sign(height(turned, format), left, format),
          with_sign(arc(turned, false, format), below, format)};
}

// log(((1 + x)^2 + y^2) / ((1 - x)^2 + y^2)) / 4 for x > 0.
Rounded quarter_logarithm(double x, double y, const FloatFormat& format) {
  Real exact(kExact);
  Real square(106);
  Real part(53);
  set(part, x);
  mpfr_ui_sub(exact.get(), 1, part.get(), MPFR_RNDN);
  mpfr_sqr(exact.get(), exact.get(), MPFR_RNDN);
  set(part, y);
  mpfr_sqr(square.get(), part.get(), MPFR_RNDN);
  mpfr_add(exact.get(), exact.get(), square.get(), MPFR_RNDN);
  if (mpfr_zero_p(exact.get()) != 0) return exactly(HUGE_VAL, format);
  set(part, x);
  return round_enclosure(format, [&](Enclosure& value) {
    Enclosure divisor(value.precision());
    enclose(divisor, exact.get());
    enclose(value, part.get());
    scale(value, 4);
    divide(value, divisor);
    apply(value, mpfr_log1p);
    scale(value, 0.25);
  });
}

// The angle of (1 - x^2 - y^2, 2y), halved.
Rounded half_angle(Parts z, const FloatFormat& format) {
  Real run(kExact);
  Real y(53);
  Real value(kBits);
  set_excess(run, z);
  mpfr_neg(run.get(), run.get(), MPFR_RNDN);
  set(y, z.im);
  mpfr_mul_2ui(y.get(), y.get(), 1, MPFR_RNDN);
  const int ternary = mpfr_atan2(value.get(), y.get(), run.get(), MPFR_RNDZ);
  mpfr_div_2ui(value.get(), value.get(), 1, MPFR_RNDN);
  return round_truncated(value, ternary, format);
}

RoundedComplex atanh(Parts z, const FloatFormat& format) {
  if (z.re == 0) {
    return {exactly(z.re, format), evaluate(Function::kAtan, z.im, format)};
  }
  const bool left = z.re < 0;
  const Rounded real =
      with_sign(quarter_logarithm(std::abs(z.re), z.im, format), left, format);
  const bool on_axis = z.im == 0 && std::abs(z.re) <= 1;
  return {real, on_axis ? exactly(z.im, format) : half_angle(z, format)};
}

// re sqrt(p + iq) for the exact numbers p = 1 - x^2 + y^2 and q = 2xy, as
// root_part() of complex_functions.cc has it for doubles: four half units.
mpfr_prec_t run_part(Real& value, mpfr_prec_t precision, const Real& p,
                     const Real& q) {
  Real norm(precision);
  Real size(kExact);
  mpfr_hypot(norm.get(), p.get(), q.get(), MPFR_RNDN);
  mpfr_abs(size.get(), p.get(), MPFR_RNDN);
  mpfr_add(value.get(), norm.get(), size.get(), MPFR_RNDN);
  mpfr_div_2ui(value.get(), value.get(), 1, MPFR_RNDN);
  mpfr_sqrt(value.get(), value.get(), MPFR_RNDN);
  if (mpfr_sgn(p.get()) < 0) {  // |q| / (2 root) does not cancel
    mpfr_abs(size.get(), q.get(), MPFR_RNDN);
    mpfr_div(value.get(), size.get(), value.get(), MPFR_RNDN);
    mpfr_div_2ui(value.get(), value.get(), 1, MPFR_RNDN);
  }
  return precision - 4;
}

// Whether c is that part exactly: 4 c^2 (c^2 - p) = q^2, as for no other
// positive number.
bool is_run(const Real& c, const Real& p, const Real& q) {
  constexpr mpfr_prec_t kLong = 20'000;
  Real square(kLong);
  Real left(kLong);
  mpfr_sqr(square.get(), c.get(), MPFR_RNDN);
  mpfr_sub(left.get(), square.get(), p.get(), MPFR_RNDN);
  mpfr_mul(left.get(), left.get(), square.get(), MPFR_RNDN);
  mpfr_mul_2ui(left.get(), left.get(), 2, MPFR_RNDN);
  mpfr_sqr(square.get(), q.get(), MPFR_RNDN);
  return mpfr_equal_p(left.get(), square.get()) != 0;
}

Rounded run_of(Parts z, const FloatFormat& format) {
  if (z.im == 0 && std::abs(z.re) >= 1) return exactly(0, format);
  const ExactPair difference(z.im, z.im, -z.re, z.re);
  const ExactPair product(z.re, z.im, z.re, z.im);
  Real p(kExact);
  Real q(kExact);
  mpfr_add_ui(p.get(), difference.get(), 1, MPFR_RNDN);
  mpfr_set(q.get(), product.get(), MPFR_RNDN);
  return refine(
      format,
      [&](Real& value, mpfr_prec_t precision) {
        return run_part(value, precision, p, q);
      },
      [&](const Real& c) { return is_run(c, p, q); });
}

}  // namespace

RoundedComplex arc_kernel(Parts z, const FloatFormat& format) {
  if (z.im != 0) return {run_of(z, format), height(z, format)};
  const double size = std::fmax(std::abs(z.re), 1);
  return {run_of(z, format), evaluate(Function::kAcosh, size, format)};
}

RoundedComplex inverse_family(ComplexFunction function, Parts z,
                              const FloatFormat& format) {
  switch (function) {
    case ComplexFunction::kAcos:
      return acos(z, format);
    case ComplexFunction::kAcosh:
      return acosh(z, format);
    case ComplexFunction::kAsinh:
      return asinh(z, format);
    default:
      return atanh(z, format);
  }
}

}  // namespace hlo::numeric
