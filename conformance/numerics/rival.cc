#include "conformance/numerics/rival.h"

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace hlo::conformance {
namespace {

using numeric::Function;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double rsqrt(double x) { return 1 / std::sqrt(x); }

constexpr std::array<Rival, 24> kRivals = {{
    {Function::kExponential, "exp", std::exp},
    {Function::kExponentialMinusOne, "expm1", std::expm1},
    {Function::kLog, "log", std::log},
    {Function::kLogPlusOne, "log1p", std::log1p},
    {Function::kTanh, "tanh", std::tanh},
    {Function::kLogistic, "logistic", logistic},
    {Function::kRsqrt, "rsqrt", rsqrt},
    {Function::kCbrt, "cbrt", std::cbrt},
    {Function::kSine, "sin", std::sin},
    {Function::kCosine, "cos", std::cos},
    {Function::kTan, "tan", std::tan},
    {Function::kAsin, "asin", std::asin},
    {Function::kAcos, "acos", std::acos},
    {Function::kAtan, "atan", std::atan},
    {Function::kSinh, "sinh", std::sinh},
    {Function::kCosh, "cosh", std::cosh},
    {Function::kAsinh, "asinh", std::asinh},
    {Function::kAcosh, "acosh", std::acosh},
    {Function::kAtanh, "atanh", std::atanh},
    {Function::kErf, "erf", std::erf},
    {Function::kErfc, "erfc", std::erfc},
    {Function::kExponential2, "exp2", std::exp2},
    {Function::kLog2, "log2", std::log2},
    {Function::kLog10, "log10", std::log10},
}};

/// A number of MPFR.
class Number {
 public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value_, precision); }

  ~Number() { mpfr_clear(value_); }

  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;

  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

using Evaluate = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// No f32 brings the value nearer than 2^-200 to a number of 25 bits: near 0 it
// is 1/2 + x/4, for large x 1 - exp(-x).
constexpr mpfr_prec_t kSpareBits = 400;

int exact_logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  Number value(mpfr_get_prec(result) + kSpareBits);
  mpfr_neg(value.get(), x, MPFR_RNDN);
  mpfr_exp(value.get(), value.get(), MPFR_RNDN);
  mpfr_add_ui(value.get(), value.get(), 1, MPFR_RNDN);
  mpfr_ui_div(value.get(), 1, value.get(), MPFR_RNDN);
  return mpfr_set(result, value.get(), mode);
}

// For -0 MPFR gives +inf, IEEE 754 -inf.
int exact_rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_zero_p(x) == 0) return mpfr_rec_sqrt(result, x, mode);
  mpfr_set_inf(result, mpfr_signbit(x) != 0 ? -1 : 1);
  return 0;
}

constexpr std::array<Evaluate, kRivals.size()> kExact = {
    mpfr_exp,    mpfr_expm1, mpfr_log,  mpfr_log1p, mpfr_tanh,  exact_logistic,
    exact_rsqrt, mpfr_cbrt,  mpfr_sin,  mpfr_cos,   mpfr_tan,   mpfr_asin,
    mpfr_acos,   mpfr_atan,  mpfr_sinh, mpfr_cosh,  mpfr_asinh, mpfr_acosh,
    mpfr_atanh,  mpfr_erf,   mpfr_erfc, mpfr_exp2,  mpfr_log2,  mpfr_log10};

Evaluate exact(Function function) {
  const auto* const row =
      std::ranges::find(kRivals, function, &Rival::function);
  return kExact.at(static_cast<size_t>(row - kRivals.begin()));
}

float evaluate_exactly(Evaluate function, float x) {
  constexpr mpfr_prec_t kBits = 24;
  constexpr mpfr_exp_t kLeast = -148;  // 2^-149 = 0.5 * 2^-148
  constexpr mpfr_exp_t kMost = 128;
  Number argument(kBits);
  Number result(kBits);
  mpfr_set_flt(argument.get(), x, MPFR_RNDN);
  int ternary = function(result.get(), argument.get(), MPFR_RNDN);
  const mpfr_exp_t least = mpfr_get_emin();
  const mpfr_exp_t most = mpfr_get_emax();
  mpfr_set_emin(kLeast);
  mpfr_set_emax(kMost);
  ternary = mpfr_check_range(result.get(), ternary, MPFR_RNDN);
  mpfr_subnormalize(result.get(), ternary, MPFR_RNDN);
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  return mpfr_get_flt(result.get(), MPFR_RNDN);
}

}  // namespace

std::span<const Rival> all_rivals() { return kRivals; }

const Rival* find_rival(std::string_view name) {
  const auto* const found = std::ranges::find(kRivals, name, &Rival::name);
  return found == kRivals.end() ? nullptr : found;
}

double evaluate_precisely(const Rival& rival, double x) {
  constexpr mpfr_prec_t kBits = 2000;
  Number argument(53);
  Number result(kBits);
  mpfr_set_d(argument.get(), x, MPFR_RNDN);
  exact(rival.function)(result.get(), argument.get(), MPFR_RNDN);
  return mpfr_get_d(result.get(), MPFR_RNDN);
}

float evaluate(const Rival& rival, float x) {
  constexpr double kError = 0x1p-46;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const double value = rival.approximate(static_cast<double>(x));
  const auto low = static_cast<float>(value * (1 - kError));
  const auto high = static_cast<float>(value * (1 + kError));
  if (std::isnan(value)) return kNan;
  if (low == high) return low;
  return evaluate_exactly(exact(rival.function), x);
}

}  // namespace hlo::conformance
