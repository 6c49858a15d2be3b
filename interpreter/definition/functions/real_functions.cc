#include "interpreter/definition/functions/real_functions.h"

#include <mpfr.h>

#include <stdexcept>

#include "interpreter/definition/functions/hurwitz_zeta.h"
#include "interpreter/definition/functions/special_functions.h"
#include "interpreter/definition/numbers/rounded_to_odd.h"
#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {
namespace {

using enum numeric::Function;
using enum numeric::Function2;

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

Real call(Unary function, const Real& x) {
  Truncated argument(x);
  Truncated result;
  const int ternary = function(result.get(), argument.get(), MPFR_RNDZ);
  return rounded_to_odd(result.get(), ternary);
}

Real call(Binary function, const Real& x, const Real& y) {
  Truncated first(x);
  Truncated second(y);
  Truncated result;
  const int ternary =
      function(result.get(), first.get(), second.get(), MPFR_RNDZ);
  return rounded_to_odd(result.get(), ternary);
}

int log_gamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, mode);
}

struct Row {
  Function function;
  Unary evaluate;  // with the special values of C's Annex F
};

constexpr Row kRows[] = {
    {kExponential, mpfr_exp},
    {kExponential2, mpfr_exp2},
    {kExponentialMinusOne, mpfr_expm1},
    {kLog, mpfr_log},
    {kLog2, mpfr_log2},
    {kLog10, mpfr_log10},
    {kLogPlusOne, mpfr_log1p},
    {kTanh, mpfr_tanh},
    {kSqrt, mpfr_sqrt},
    {kCbrt, mpfr_cbrt},
    {kSine, mpfr_sin},
    {kCosine, mpfr_cos},
    {kTan, mpfr_tan},
    {kAsin, mpfr_asin},
    {kAcos, mpfr_acos},
    {kAtan, mpfr_atan},
    {kSinh, mpfr_sinh},
    {kCosh, mpfr_cosh},
    {kAsinh, mpfr_asinh},
    {kAcosh, mpfr_acosh},
    {kAtanh, mpfr_atanh},
    {kErf, mpfr_erf},
    {kLgamma, log_gamma},
    {kDigamma, mpfr_digamma},
};

// MPFR, unlike IEEE 754, has +inf for -0.
Real rsqrt(const Real& x) {
  return is_zero(x) ? 1 / x : call(mpfr_rec_sqrt, x);
}

// erfc(x) < exp(-x^2) is below every format from 64 on.
Real erfc(const Real& x) {
  return call(mpfr_erfc, x > 64 && isfinite(x) ? 64 : x);
}

}  // namespace

Real rounded_to_odd(Function function, const Real& x) {
  for (const Row& row : kRows) {
    if (row.function == function) return call(row.evaluate, x);
  }
  if (function == kRsqrt) return rsqrt(x);
  if (function == kErfc) return erfc(x);
  if (function == kLogistic) return logistic(x);
  if (function == kErfInv) return erf_inv(x);
  if (function == kBesselI1e) return bessel_i1e(x);
  throw std::logic_error("not a function of one argument");
}

Real rounded_to_odd(Function2 function, const Real& x, const Real& y) {
  if (function == kPower) return call(mpfr_pow, x, y);
  if (function == kAtan2) return call(mpfr_atan2, x, y);
  if (function == kHypot) return call(mpfr_hypot, x, y);
  if (function == kPolygamma && is_zero(x)) return call(mpfr_digamma, y);
  if (function == kPolygamma) return polygamma(x, y);
  if (function == kZeta) return zeta(x, y);
  throw std::logic_error("not a function of two arguments");
}

uint64_t round_function(Function function, uint64_t code, ElementType type) {
  const Real x = decode(code, type);
  return encode(isnan(x) ? x : rounded_to_odd(function, x), type);
}

uint64_t round_function2(Function2 function, uint64_t x, uint64_t y,
                         ElementType type) {
  return encode(rounded_to_odd(function, decode(x, type), decode(y, type)),
                type);
}

}  // namespace hlo::definition
