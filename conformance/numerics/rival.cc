#include "conformance/numerics/rival.h"

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "conformance/numerics/approximate.h"
#include "conformance/numerics/exact_zeta.h"

namespace hlo::conformance {
namespace {

using numeric::Function;
using numeric::Function2;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double rsqrt(double x) { return 1 / std::sqrt(x); }

double unknown(double /*x*/, double /*y*/) {
  return std::numeric_limits<double>::quiet_NaN();
}

template <double (*function)(double)>
double of_one(double x, double /*y*/) {
  return function(x);
}

template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
int exactly(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr /*y*/,
            mpfr_rnd_t mode) {
  return function(result, x, mode);
}

constexpr Sweep kAll = Sweep::kAll;
constexpr Sweep kSome = Sweep::kStrided;

constexpr std::array<Rival, 34> kRivals = {{
    {Function::kExponential, "exp", kAll, of_one<std::exp>, exactly<mpfr_exp>},
    {Function::kExponential2, "exp2", kAll, of_one<std::exp2>,
     exactly<mpfr_exp2>},
    {Function::kExponentialMinusOne, "expm1", kAll, of_one<std::expm1>,
     exactly<mpfr_expm1>},
    {Function::kLog, "log", kAll, of_one<std::log>, exactly<mpfr_log>},
    {Function::kLog2, "log2", kAll, of_one<std::log2>, exactly<mpfr_log2>},
    {Function::kLog10, "log10", kAll, of_one<std::log10>, exactly<mpfr_log10>},
    {Function::kLogPlusOne, "log1p", kAll, of_one<std::log1p>,
     exactly<mpfr_log1p>},
    {Function::kSine, "sin", kAll, of_one<std::sin>, exactly<mpfr_sin>},
    {Function::kCosine, "cos", kAll, of_one<std::cos>, exactly<mpfr_cos>},
    {Function::kTanh, "tanh", kAll, of_one<std::tanh>, exactly<mpfr_tanh>},
    {Function::kLogistic, "logistic", kAll, of_one<logistic>, exact_logistic},
    {Function::kCbrt, "cbrt", kAll, of_one<std::cbrt>, exactly<mpfr_cbrt>},
    {Function::kAtan, "atan", kAll, of_one<std::atan>, exactly<mpfr_atan>},
    {Function::kSqrt, "sqrt", kSome, of_one<std::sqrt>, exactly<mpfr_sqrt>},
    {Function::kRsqrt, "rsqrt", kSome, of_one<rsqrt>, exact_rsqrt},
    {Function::kTan, "tan", kSome, of_one<std::tan>, exactly<mpfr_tan>},
    {Function::kAsin, "asin", kSome, of_one<std::asin>, exactly<mpfr_asin>},
    {Function::kAcos, "acos", kSome, of_one<std::acos>, exactly<mpfr_acos>},
    {Function::kSinh, "sinh", kSome, of_one<std::sinh>, exactly<mpfr_sinh>},
    {Function::kCosh, "cosh", kSome, of_one<std::cosh>, exactly<mpfr_cosh>},
    {Function::kAsinh, "asinh", kSome, of_one<std::asinh>, exactly<mpfr_asinh>},
    {Function::kAcosh, "acosh", kSome, of_one<std::acosh>, exactly<mpfr_acosh>},
    {Function::kAtanh, "atanh", kSome, of_one<std::atanh>, exactly<mpfr_atanh>},
    {Function::kErf, "erf", kSome, of_one<std::erf>, exactly<mpfr_erf>},
    {Function::kErfc, "erfc", kSome, of_one<std::erfc>, exactly<mpfr_erfc>},
    {Function::kErfInv, "erf_inv", kSome, of_one<approximate_erf_inv>,
     exact_erf_inv},
    {Function::kLgamma, "lgamma", kSome, of_one<approximate_lgamma>,
     exact_lgamma},
    {Function::kDigamma, "digamma", kSome, of_one<approximate_digamma>,
     exact_digamma},
    {Function::kBesselI1e, "bessel_i1e", kSome, of_one<approximate_bessel_i1e>,
     exact_bessel_i1e},
    {Function2::kPower, "pow", Sweep::kPairs, std::pow, mpfr_pow},
    {Function2::kAtan2, "atan2", Sweep::kPairs, std::atan2, mpfr_atan2},
    {Function2::kHypot, "hypot", Sweep::kPairs, std::hypot, mpfr_hypot},
    {Function2::kPolygamma, "polygamma", Sweep::kOrders, unknown,
     exact_polygamma},
    {Function2::kZeta, "zeta", Sweep::kOrders, unknown, exact_zeta},
}};

// What was truncated to 53 bits, and odd where that was not exact.
double odd_double(Number& truncated, int ternary) {
  constexpr mpfr_exp_t kMost = 1000;
  constexpr double kFar = 0x1p1000;
  mpfr_srcptr value = truncated.get();
  if (mpfr_nan_p(value) != 0) return std::numeric_limits<double>::quiet_NaN();
  const double sign = mpfr_signbit(value) != 0 ? -1 : 1;
  if (mpfr_inf_p(value) != 0) {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (mpfr_zero_p(value) != 0) return sign * (ternary == 0 ? 0 : 1 / kFar);
  if (mpfr_get_exp(value) > kMost) return sign * kFar;
  if (mpfr_get_exp(value) < -kMost) return sign / kFar;
  const auto bits =
      std::bit_cast<uint64_t>(mpfr_get_d(value, MPFR_RNDZ));  // exact
  return std::bit_cast<double>(ternary == 0 ? bits : bits | 1);
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
  rival.exact(result.get(), argument.get(), argument.get(), MPFR_RNDN);
  return mpfr_get_d(result.get(), MPFR_RNDN);
}

double evaluate_to_odd(const Rival& rival, double x, double y) {
  constexpr mpfr_prec_t kBits = 53;
  Number first(kBits);
  Number second(kBits);
  Number result(kBits);
  mpfr_set_d(first.get(), x, MPFR_RNDN);
  mpfr_set_d(second.get(), y, MPFR_RNDN);
  const int ternary =
      rival.exact(result.get(), first.get(), second.get(), MPFR_RNDZ);
  return odd_double(result, ternary);
}

float evaluate(const Rival& rival, float x, float y) {
  constexpr double kError = 0x1p-46;
  const double first = x;
  const double second = y;
  const double value = rival.approximate(first, second);
  const auto low = static_cast<float>(value * (1 - kError));
  const auto high = static_cast<float>(value * (1 + kError));
  if (low == high) return low;
  return static_cast<float>(evaluate_to_odd(rival, first, second));
}

void evaluate_reference(const Rival& rival, const void* x, const void* y,
                        void* result, int64_t n,
                        const numeric::FloatFormat& format) {
  if (rival.is_binary()) {
    numeric::round_function2_array(std::get<Function2>(rival.function), x, y,
                                   result, n, format);
  } else {
    numeric::round_function_array(std::get<Function>(rival.function), x, result,
                                  n, format);
  }
}

}  // namespace hlo::conformance
