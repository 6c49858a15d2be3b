#pragma once

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "interpreter/numeric/real/testing/oracle.h"
#include "interpreter/numeric/special/function_names.h"

// The functions of rounded.h by MPFR alone; tests and benchmarks share them.
namespace hlo::numeric::oracle {

/// Toward zero only: every step makes the result smaller, if anything.
inline int logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  // 1/2 + x/4 for the least x.
  const mpfr_exp_t below = mpfr_regular_p(x) != 0 ? -mpfr_get_exp(x) : 0;
  Real value(300 + std::max<mpfr_exp_t>(below, 0));
  mpfr_neg(value.get(), x, MPFR_RNDN);
  mpfr_exp(value.get(), value.get(), MPFR_RNDU);
  mpfr_add_ui(value.get(), value.get(), 1, MPFR_RNDU);
  const bool vanishes = mpfr_inf_p(value.get()) != 0 && mpfr_inf_p(x) == 0;
  const int inexact = mpfr_ui_div(value.get(), 1, value.get(), MPFR_RNDD);
  const int ternary = mpfr_set(result, value.get(), mode);
  return ternary != 0 || vanishes ? -1 : inexact;
}

inline int rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  const int ternary = mpfr_rec_sqrt(result, x, mode);
  if (mpfr_zero_p(x) != 0) {
    mpfr_setsign(result, result, mpfr_signbit(x), mode);
  }
  return ternary;
}

/// A number that was rounded toward zero, rounded to odd instead: that keeps
/// apart what lies on a midpoint and what lies beside it.
inline void round_to_odd(mpfr_ptr truncated, int ternary) {
  // An inexact zero has underflowed, and no infinity is truncated.
  const bool even = mpfr_zero_p(truncated) != 0 ||
                    static_cast<mpfr_prec_t>(mpfr_min_prec(truncated)) <
                        mpfr_get_prec(truncated);
  if (ternary == 0 || !even) return;
  mpfr_signbit(truncated) != 0 ? mpfr_nextbelow(truncated)
                               : mpfr_nextabove(truncated);
}

struct Unary {
  Function function;
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  // Where it is mostly used: evenly from low to high, or where both are 0,
  // positive numbers of every exponent.
  double low;
  double high;
};

// In the order of Function.
inline constexpr std::array<Unary, 24> kUnary = {{
    {Function::kExponential, "exponential", mpfr_exp, -87, 88.7},
    {Function::kExponential2, "exponential-2", mpfr_exp2, -126, 128},
    {Function::kExponentialMinusOne, "exponential-minus-one", mpfr_expm1, -20,
     88.7},
    {Function::kLog, "log", mpfr_log, 0, 0},
    {Function::kLog2, "log-2", mpfr_log2, 0, 0},
    {Function::kLog10, "log-10", mpfr_log10, 0, 0},
    {Function::kLogPlusOne, "log-plus-one", mpfr_log1p, -1, 100},
    {Function::kTanh, "tanh", mpfr_tanh, -9, 9},
    {Function::kLogistic, "logistic", logistic, -20, 20},
    {Function::kSqrt, "sqrt", mpfr_sqrt, 0, 0},
    {Function::kRsqrt, "rsqrt", rsqrt, 0, 0},
    {Function::kCbrt, "cbrt", mpfr_cbrt, 0, 0},
    {Function::kSine, "sine", mpfr_sin, -100, 100},
    {Function::kCosine, "cosine", mpfr_cos, -100, 100},
    {Function::kTan, "tan", mpfr_tan, -100, 100},
    {Function::kAsin, "asin", mpfr_asin, -1, 1},
    {Function::kAcos, "acos", mpfr_acos, -1, 1},
    {Function::kAtan, "atan", mpfr_atan, -30, 30},
    {Function::kSinh, "sinh", mpfr_sinh, -89, 89},
    {Function::kCosh, "cosh", mpfr_cosh, -89, 89},
    {Function::kAsinh, "asinh", mpfr_asinh, -100, 100},
    {Function::kAcosh, "acosh", mpfr_acosh, 1, 100},
    {Function::kAtanh, "atanh", mpfr_atanh, -1, 1},
    {Function::kErf, "erf", mpfr_erf, -4, 4},
}};

struct Binary {
  Function2 function;
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  // Where the operands mostly lie.
  double low_x;
  double high_x;
  double low_y;
  double high_y;
};

// In the order of Function2.
inline constexpr std::array<Binary, 3> kBinary = {{
    {Function2::kPower, "power", mpfr_pow, 0.1, 10, -10, 10},
    {Function2::kAtan2, "atan2", mpfr_atan2, -10, 10, -10, 10},
    {Function2::kHypot, "hypot", mpfr_hypot, -10, 10, -10, 10},
}};

/// A number between low and high, or of any exponent (Unary).
inline double useful(Random& random, double low, double high) {
  if (low == high) return std::abs(random.real(-126, 126));
  const double part = static_cast<double>(random.bits() >> 11) * 0x1p-53;
  return low + (high - low) * part;
}

}  // namespace hlo::numeric::oracle
