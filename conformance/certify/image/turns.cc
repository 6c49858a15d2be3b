#include "conformance/certify/image/turns.h"

#include <mpfr.h>

#include <cmath>

#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::conformance {
namespace {

/// floor((x / pi - offset) / period). x / pi is irrational for x other than 0,
/// and no double of at most 1024 bits before the point comes as near to a
/// multiple of pi / 2 as 2^-70 (the known minimum is about 2^-61), so that 1200
/// bits decide it.
void count_turns(numeric::Real& turns, double x, double offset, double period) {
  numeric::Real pi(1200);
  numeric::set(turns, x);
  mpfr_const_pi(pi.get(), MPFR_RNDN);
  mpfr_div(turns.get(), turns.get(), pi.get(), MPFR_RNDN);
  mpfr_sub_d(turns.get(), turns.get(), offset, MPFR_RNDN);
  mpfr_div_d(turns.get(), turns.get(), period, MPFR_RNDN);
  mpfr_floor(turns.get(), turns.get());
}

bool passes(double low, double high, double offset, double period) {
  if (!std::isfinite(low) || !std::isfinite(high)) return true;
  numeric::free_constants_with_thread();
  numeric::Real first(1200);
  numeric::Real last(1200);
  count_turns(first, low, offset, period);
  count_turns(last, high, offset, period);
  return mpfr_equal_p(first.get(), last.get()) == 0;
}

}  // namespace

bool passes_extreme(double low, double high, bool sine, int extreme) {
  const double offset = sine ? 0.5 * extreme : (extreme > 0 ? 0 : 1);
  return passes(low, high, offset, 2);
}

bool passes_pole(double low, double high) { return passes(low, high, 0.5, 1); }

}  // namespace hlo::conformance
