#include "interpreter/numeric/f64/double_functions.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "interpreter/numeric/f64/double_tables.h"
#include "interpreter/numeric/real/testing/oracle.h"
#include "interpreter/numeric/special/testing/oracle_functions.h"

namespace hlo::numeric {
namespace {

constexpr mpfr_prec_t kPrecision = 160;

using Evaluate = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// The functions with approximations, and the exponents of useful arguments.
struct Case {
  Function function;
  const char* name;
  Evaluate evaluate;
  int low;
  int high;
};

constexpr std::array kCases = {
    Case{Function::kExponential, "exponential", mpfr_exp, -20, 9},
    Case{Function::kExponentialMinusOne, "exponential-minus-one", mpfr_expm1,
         -60, 9},
    Case{Function::kLogistic, "logistic", oracle::logistic, -60, 9},
    Case{Function::kExponential2, "exponential-2", mpfr_exp2, -20, 9},
    Case{Function::kLog2, "log-2", mpfr_log2, -1020, 1020},
    Case{Function::kLog10, "log-10", mpfr_log10, -1020, 1020},
    Case{Function::kSqrt, "sqrt", mpfr_sqrt, -1020, 1020},
    Case{Function::kLog, "log", mpfr_log, -1020, 1020},
    Case{Function::kLogPlusOne, "log-plus-one", mpfr_log1p, -60, 60},
    Case{Function::kSine, "sine", mpfr_sin, -30, 20},
    Case{Function::kCosine, "cosine", mpfr_cos, -30, 20},
    Case{Function::kTan, "tan", mpfr_tan, -30, 20},
    Case{Function::kAsin, "asin", mpfr_asin, -30, -1},
    Case{Function::kAcos, "acos", mpfr_acos, -60, -1},
    Case{Function::kAtan, "atan", mpfr_atan, -30, 60},
    Case{Function::kSinh, "sinh", mpfr_sinh, -30, 9},
    Case{Function::kCosh, "cosh", mpfr_cosh, -30, 9},
    Case{Function::kTanh, "tanh", mpfr_tanh, -30, 5},
    Case{Function::kAsinh, "asinh", mpfr_asinh, -30, 100},
    Case{Function::kAcosh, "acosh", mpfr_acosh, 0, 100},
    Case{Function::kAtanh, "atanh", mpfr_atanh, -30, -1},
    Case{Function::kRsqrt, "rsqrt", oracle::rsqrt, -1020, 1020},
    Case{Function::kCbrt, "cbrt", mpfr_cbrt, -1020, 1020},
    Case{Function::kErf, "erf", mpfr_erf, -60, 2},
};

double random_near(oracle::Random& random, double center) {
  const double step =
      std::nextafter(std::abs(center), 2.0 * center + 1) - std::abs(center);
  const auto away = static_cast<double>(random.below(1 << 20) - (1 << 19));
  return center + away * step;
}

// Random codes, useful arguments, subnormal numbers, and neighbours of numbers
// where something ends or begins.
std::vector<double> arguments(const Case& row, size_t n, uint64_t seed) {
  constexpr std::array<double, 16> kCenters = {
      0x1p-1022, 0x1p-54, 0x1p-27, 0x1p-8, 0.0027, 0.35, 0.5,    1,
      2,         22,      40,      708.4,  710,    745,  0x1p53, 0x1p1000};
  oracle::Random random(seed);
  std::vector<double> found;
  while (found.size() < n) {
    const auto kind = random.below(16);
    const double sign = random.below(2) == 0 ? 1 : -1;
    double x = sign * random.real(row.low, row.high);
    if (kind == 0) x = std::bit_cast<double>(random.bits());
    if (kind == 1) x = sign * std::bit_cast<double>(random.bits() >> 12);
    if (kind == 2) x = sign * random_near(random, kCenters[found.size() % 16]);
    if (kind == 3) x = sign * static_cast<double>(random.below(2000)) / 8;
    found.push_back(x);
  }
  return found;
}

// The value to 160 bits, the last of which is 1 where it is not exact.
struct Exact {
  Real value{kPrecision};

  void compute(const Case& row, double x) {
    Real argument(53);
    set(argument, x);
    const int ternary = row.evaluate(value.get(), argument.get(), MPFR_RNDZ);
    oracle::round_to_odd(value.get(), ternary);
  }

  // Where it lies, seen from a double.
  int side(double rounded) const {
    const int order = mpfr_cmp_d(value.get(), rounded);
    return order < 0 ? -1 : (order > 0 ? 1 : 0);
  }
};

TEST(DoubleFunctions, ApproximationsKeepTheirBounds) {
  for (const Case& row : kCases) {
    Exact exact;
    for (const double x : arguments(row, 30'000, 1)) {
      if (std::isnan(x) || x == 0) continue;
      if (round_double(row.function, x) &&
          std::bit_cast<double>(round_double(row.function, x)->bits) == x) {
        continue;  // perhaps too small an x
      }
      const Approximation about = approximate(row.function, x);
      if (std::isnan(about.hi)) continue;
      exact.compute(row, x);
      mpfr_div_2si(exact.value.get(), exact.value.get(), about.exponent,
                   MPFR_RNDN);
      mpfr_sub_d(exact.value.get(), exact.value.get(), about.hi, MPFR_RNDN);
      mpfr_sub_d(exact.value.get(), exact.value.get(), about.lo, MPFR_RNDN);
      mpfr_abs(exact.value.get(), exact.value.get(), MPFR_RNDN);
      ASSERT_LE(mpfr_cmp_d(exact.value.get(), about.error), 0)
          << row.name << " " << x;
    }
  }
}

TEST(DoubleFunctions, ResultsAreCorrectlyRounded) {
  const FloatFormat& f64 = format(ElementType::kF64);
  for (const Case& row : kCases) {
    const std::vector<double> xs = arguments(row, 100'000, 2);
    std::vector<double> results(xs.size());
    round_double_array(row.function, xs.data(), results.data(),
                       static_cast<int64_t>(xs.size()));
    Exact exact;
    for (size_t i = 0; i < xs.size(); ++i) {
      exact.compute(row, xs[i]);
      const auto bits = std::bit_cast<uint64_t>(results[i]);
      if (mpfr_nan_p(exact.value.get()) != 0) {
        ASSERT_TRUE(std::isnan(results[i])) << row.name << " " << xs[i];
        continue;
      }
      ASSERT_EQ(bits, oracle::round_ieee(exact.value.get(), f64))
          << row.name << " " << xs[i];
      const auto single = round_double(row.function, xs[i]);
      ASSERT_EQ(single ? single->bits : bits, bits) << row.name << " " << xs[i];
    }
  }
}

TEST(DoubleFunctions, SidesAreThoseOfTheExactValue) {
  for (const Case& row : kCases) {
    Exact exact;
    for (const double x : arguments(row, 20'000, 3)) {
      if (std::isnan(x)) continue;
      const auto rounded = round_double(row.function, x);
      if (!rounded) continue;
      exact.compute(row, x);
      ASSERT_EQ(rounded->side, exact.side(std::bit_cast<double>(rounded->bits)))
          << row.name << " " << x;
    }
  }
}

TEST(DoubleFunctions, ExactResultsHaveNoSide) {
  const std::vector<std::pair<Function, double>> exact = {
      {Function::kLog, 1},
      {Function::kLog2, 1},
      {Function::kLog10, 1},
      {Function::kAcos, 1},
      {Function::kAcosh, 1},
      {Function::kExponentialMinusOne, -HUGE_VAL},
      {Function::kTanh, HUGE_VAL},
      {Function::kTanh, -HUGE_VAL},
      {Function::kErf, HUGE_VAL},
      {Function::kErf, -HUGE_VAL},
      {Function::kLogistic, HUGE_VAL}};
  for (const auto& [function, x] : exact) {
    const auto rounded = round_double(function, x);
    EXPECT_EQ(rounded ? rounded->side : 0, 0)
        << static_cast<int>(function) << " " << x;
  }
}

TEST(DoubleFunctions, FewUsefulArgumentsAreLeftToMpfr) {
  for (const Case& row : kCases) {
    oracle::Random random(4);
    int64_t left = 0;
    constexpr int64_t kCount = 300'000;
    for (int64_t i = 0; i < kCount; ++i) {
      const double whole = static_cast<double>(random.bits() >> 11) * 0x1p-53;
      const double x = std::ldexp(
          1 + whole,
          row.low + static_cast<int>(random.below(row.high - row.low + 1)));
      const Approximation about = approximate(row.function, x);
      if (std::isnan(about.hi)) continue;  // out of the domain
      left += std::isnan(decide(about)) ? 1 : 0;
    }
    EXPECT_LE(left, kCount / 100'000) << row.name;
  }
}

// What logarithm() relies on.
TEST(DoubleTables, FactorsOfLogarithmsAreNearEnough) {
  const LogTable& table = log_table();
  for (size_t i = 0; i < LogTable::kRows; ++i) {
    const double half = i >= LogTable::kUpper ? 0.5 : 1;
    const auto [factor, log] = table.rows[i];
    const auto edge = static_cast<double>(i);
    const double low = (1 + edge / 256) * half * factor - 1;
    const double high = (1 + (edge + 1) / 256) * half * factor - 1;
    const double most = std::max(std::abs(low), std::abs(high));
    EXPECT_LE(most, 0x1p-8) << i;
    EXPECT_TRUE(log.hi == 0 || most < 0.59 * std::abs(log.hi)) << i;
    EXPECT_EQ(factor * 1024, std::floor(factor * 1024)) << i;
  }
}

}  // namespace
}  // namespace hlo::numeric
