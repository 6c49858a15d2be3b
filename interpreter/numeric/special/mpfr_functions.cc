#include "interpreter/numeric/special/mpfr_functions.h"

#include <mpfr.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/special/special_bessel.h"
#include "interpreter/numeric/special/special_error.h"
#include "interpreter/numeric/special/special_gamma.h"
#include "interpreter/numeric/special/special_zeta.h"

namespace hlo::numeric {
namespace {

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

struct Row {
  Function function;
  Unary evaluate;  // correctly rounded, with the special values of C Annex F
};

int logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode);

// mpfr_rec_sqrt gives +inf for -0.
int rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_zero_p(x) == 0) return mpfr_rec_sqrt(result, x, mode);
  mpfr_set_inf(result, mpfr_signbit(x) != 0 ? -1 : 1);
  return 0;
}

constexpr std::array<Row, static_cast<size_t>(kLastFunction) + 1> kRows = {{
    {Function::kExponential, mpfr_exp},
    {Function::kExponential2, mpfr_exp2},
    {Function::kExponentialMinusOne, mpfr_expm1},
    {Function::kLog, mpfr_log},
    {Function::kLog2, mpfr_log2},
    {Function::kLog10, mpfr_log10},
    {Function::kLogPlusOne, mpfr_log1p},
    {Function::kTanh, mpfr_tanh},
    {Function::kLogistic, logistic},
    {Function::kSqrt, mpfr_sqrt},
    {Function::kRsqrt, rsqrt},
    {Function::kCbrt, mpfr_cbrt},
    {Function::kSine, mpfr_sin},
    {Function::kCosine, mpfr_cos},
    {Function::kTan, mpfr_tan},
    {Function::kAsin, mpfr_asin},
    {Function::kAcos, mpfr_acos},
    {Function::kAtan, mpfr_atan},
    {Function::kSinh, mpfr_sinh},
    {Function::kCosh, mpfr_cosh},
    {Function::kAsinh, mpfr_asinh},
    {Function::kAcosh, mpfr_acosh},
    {Function::kAtanh, mpfr_atanh},
    {Function::kErf, mpfr_erf},
    {Function::kErfc, special::erfc},
    {Function::kErfInv, special::erf_inv},
    {Function::kLgamma, special::lgamma},
    {Function::kDigamma, special::digamma},
    {Function::kBesselI1e, special::bessel_i1e},
}};

// In the order of Function2.
constexpr std::array<Binary, 5> kBinary = {mpfr_pow, mpfr_atan2, mpfr_hypot,
                                           special::polygamma, special::zeta};

constexpr mpfr_prec_t kBits = 64;  // what the rounding step wants
// logistic differs from 1/2 by about x/4, and from 1 by exp(-x): closer than
// the last of n bits where |x| <= 2^-(n + kTinyBits), and where x >= n.
constexpr int kTinyBits = 6;
constexpr double kVanishing = 1000;  // exp(-1000) is below every format

// 1 / (1 + exp(-x)) for other x > -kVanishing: each of the three operations is
// off by at most half a unit of `precision` bits and none enlarges the relative
// error of the one before, so that the sum is below 2^(2 - precision).
int refine_logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  const mpfr_prec_t bits = mpfr_get_prec(result);
  for (mpfr_prec_t precision = bits + 96;; precision *= 2) {
    Real value(precision);
    mpfr_neg(value.get(), x, MPFR_RNDN);  // a double: exact
    mpfr_exp(value.get(), value.get(), MPFR_RNDN);
    mpfr_add_ui(value.get(), value.get(), 1, MPFR_RNDN);
    mpfr_ui_div(value.get(), 1, value.get(), MPFR_RNDN);
    // Never exact (Lindemann), so that the loop ends and the ternary value is
    // the sign of the truncation's error.
    if (mpfr_can_round(value.get(), precision - 3, MPFR_RNDN, mode, bits) !=
        0) {
      mpfr_set(result, value.get(), mode);
      return -1;
    }
  }
}

int logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_nan_p(x) != 0) return mpfr_set(result, x, mode);
  const double value = mpfr_get_d(x, MPFR_RNDN);
  if (std::isinf(value)) return mpfr_set_ui(result, value > 0 ? 1 : 0, mode);
  const auto bits = static_cast<int>(mpfr_get_prec(result));
  if (std::abs(value) <= std::ldexp(1.0, -bits - kTinyBits)) {
    mpfr_set_d(result, 0.5, mode);
    if (value < 0) mpfr_nextbelow(result);
    return value == 0 ? 0 : -1;
  }
  if (value >= bits) {
    mpfr_set_ui(result, 1, mode);
    mpfr_nextbelow(result);
    return -1;
  }
  if (value <= -kVanishing) {
    mpfr_set_zero(result, 1);
    return -1;
  }
  return refine_logistic(result, x, mode);
}

}  // namespace

int evaluate(Function function, double x, Real& result) {
  free_constants_with_thread();
  Real argument(53);
  mpfr_set_d(argument.get(), x, MPFR_RNDN);
  return kRows[static_cast<size_t>(function)].evaluate(
      result.get(), argument.get(), MPFR_RNDZ);
}

int evaluate(Function2 function, double x, double y, Real& result) {
  free_constants_with_thread();
  Real first(53);
  Real second(53);
  mpfr_set_d(first.get(), x, MPFR_RNDN);
  mpfr_set_d(second.get(), y, MPFR_RNDN);
  return kBinary[static_cast<size_t>(function)](result.get(), first.get(),
                                                second.get(), MPFR_RNDZ);
}

Rounded evaluate(Function function, double x, const FloatFormat& format) {
  Real result(kBits);
  const int ternary = evaluate(function, x, result);
  return round_truncated(result, ternary, format);
}

Rounded evaluate(Function2 function, double x, double y,
                 const FloatFormat& format) {
  Real result(kBits);
  const int ternary = evaluate(function, x, y, result);
  return round_truncated(result, ternary, format);
}

}  // namespace hlo::numeric
