#include "interpreter/numeric/real/enclosure.h"

namespace hlo::numeric {

void enclose(Enclosure& result, mpfr_srcptr value) {
  mpfr_set(result.low.get(), value, MPFR_RNDD);
  mpfr_set(result.high.get(), value, MPFR_RNDU);
}

void add(Enclosure& a, const Enclosure& b) {
  mpfr_add(a.low.get(), a.low.get(), b.low.get(), MPFR_RNDD);
  mpfr_add(a.high.get(), a.high.get(), b.high.get(), MPFR_RNDU);
}

void subtract(Enclosure& a, const Enclosure& b) {
  mpfr_sub(a.low.get(), a.low.get(), b.high.get(), MPFR_RNDD);
  mpfr_sub(a.high.get(), a.high.get(), b.low.get(), MPFR_RNDU);
}

void multiply(Enclosure& a, const Enclosure& b) {
  const bool negative_low = mpfr_sgn(a.low.get()) < 0;
  const bool negative_high = mpfr_sgn(a.high.get()) < 0;
  mpfr_mul(a.low.get(), a.low.get(), (negative_low ? b.high : b.low).get(),
           MPFR_RNDD);
  mpfr_mul(a.high.get(), a.high.get(), (negative_high ? b.low : b.high).get(),
           MPFR_RNDU);
}

void divide(Enclosure& a, const Enclosure& b) {
  const bool negative_low = mpfr_sgn(a.low.get()) < 0;
  const bool negative_high = mpfr_sgn(a.high.get()) < 0;
  mpfr_div(a.low.get(), a.low.get(), (negative_low ? b.low : b.high).get(),
           MPFR_RNDD);
  mpfr_div(a.high.get(), a.high.get(), (negative_high ? b.high : b.low).get(),
           MPFR_RNDU);
}

void apply(Enclosure& a, RealFunction f) {
  f(a.low.get(), a.low.get(), MPFR_RNDD);
  f(a.high.get(), a.high.get(), MPFR_RNDU);
}

void scale(Enclosure& a, double factor) {
  if (factor < 0) mpfr_swap(a.low.get(), a.high.get());
  mpfr_mul_d(a.low.get(), a.low.get(), factor, MPFR_RNDD);
  mpfr_mul_d(a.high.get(), a.high.get(), factor, MPFR_RNDU);
}

// From one end of a to the other f changes by no more than the argument.
void turn(Enclosure& result, RealFunction f, const Enclosure& a) {
  Real width(a.precision());
  mpfr_sub(width.get(), a.high.get(), a.low.get(), MPFR_RNDU);
  f(result.low.get(), a.low.get(), MPFR_RNDD);
  f(result.high.get(), a.low.get(), MPFR_RNDU);
  mpfr_sub(result.low.get(), result.low.get(), width.get(), MPFR_RNDD);
  mpfr_add(result.high.get(), result.high.get(), width.get(), MPFR_RNDU);
}

void widen(Enclosure& a, mpfr_prec_t bits) {
  Real step(a.precision());
  mpfr_abs(step.get(), a.low.get(), MPFR_RNDU);
  mpfr_div_2si(step.get(), step.get(), bits, MPFR_RNDU);
  mpfr_sub(a.low.get(), a.low.get(), step.get(), MPFR_RNDD);
  mpfr_abs(step.get(), a.high.get(), MPFR_RNDU);
  mpfr_div_2si(step.get(), step.get(), bits, MPFR_RNDU);
  mpfr_add(a.high.get(), a.high.get(), step.get(), MPFR_RNDU);
}

std::optional<int> truncate(mpfr_ptr result, const Enclosure& value) {
  const int sign = mpfr_sgn(value.low.get());
  if (sign == 0 || sign != mpfr_sgn(value.high.get())) return std::nullopt;
  const Real& near = sign > 0 ? value.low : value.high;
  const Real& far = sign > 0 ? value.high : value.low;
  // An end that is a number of the result's precision may be the value.
  const int ternary = mpfr_set(result, near.get(), MPFR_RNDZ);
  Real other(mpfr_get_prec(result));
  mpfr_set(other.get(), far.get(), MPFR_RNDZ);
  if (ternary == 0 || mpfr_equal_p(result, other.get()) == 0) {
    return std::nullopt;
  }
  return ternary;
}

}  // namespace hlo::numeric
