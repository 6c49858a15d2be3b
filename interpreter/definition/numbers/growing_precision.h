#pragma once

#include <boost/multiprecision/mpfr.hpp>
#include <optional>
#include <stdexcept>

#include "interpreter/definition/numbers/exact_numbers.h"
#include "interpreter/definition/numbers/rounded_to_odd.h"

namespace hlo::definition {

/// A number of that many decimals, each operation rounded to nearest.
template <unsigned decimals>
using Float = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<decimals>,
    boost::multiprecision::et_off>;

/// The relative error of one operation.
template <typename F>
F unit() {
  return ldexp(F(1), 1 - std::numeric_limits<F>::digits);
}

/// A function of MPFR that Boost has no name for, rounded to nearest.
template <typename F>
F call(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), const F& x) {
  F result;
  function(result.backend().data(), x.backend().data(), MPFR_RNDN);
  return result;
}

/// A real number that lies within `error` of `value`.
template <typename F>
struct Ball {
  F value;
  F error;
};

/// What every number of the ball is when it is rounded to odd, if that is one
/// number; the numbers are taken not to have kOddBits bits.
template <typename F>
std::optional<Real> decide(const Ball<F>& ball) {
  const auto odd = [](const F& end) {
    Truncated truncated;
    mpfr_set(truncated.get(), end.backend().data(), MPFR_RNDZ);
    return rounded_to_odd(truncated.get(), 1);
  };
  const Real low = odd(ball.value - ball.error);
  const Real high = odd(ball.value + ball.error);
  return low == high ? std::optional(low) : std::nullopt;
}

/// The number around which `ball(F())` is a Ball<F>, rounded to odd, in as much
/// precision as it takes.
template <typename MakeBall>
Real refine(const MakeBall& ball) {
  if (const auto real = decide(ball(Float<50>()))) return *real;
  if (const auto real = decide(ball(Float<250>()))) return *real;
  if (const auto real = decide(ball(Float<800>()))) return *real;
  if (const auto real = decide(ball(Float<1500>()))) return *real;
  throw std::logic_error("a function's value is next to one of few bits");
}

}  // namespace hlo::definition
