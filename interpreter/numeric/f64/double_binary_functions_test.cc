#include "interpreter/numeric/f64/double_binary_functions.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/numeric/f64/double_functions.h"
#include "interpreter/numeric/real/testing/oracle.h"

namespace hlo::numeric {
namespace {

constexpr mpfr_prec_t kPrecision = 200;

struct Case2 {
  Function2 function;
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  int low;  // exponents of useful arguments
  int high;
};

constexpr std::array kCases = {
    Case2{Function2::kPower, "power", mpfr_pow, -4, 4},
    Case2{Function2::kAtan2, "atan2", mpfr_atan2, -40, 40},
    Case2{Function2::kHypot, "hypot", mpfr_hypot, -30, 30},
};

using Points = std::vector<std::pair<double, double>>;

// Random codes, useful arguments, small integers (powers that are exact or
// midpoints), results near the ends of the range, and powers near 1.
Points points(const Case2& row, size_t n, uint64_t seed) {
  oracle::Random random(seed);
  Points found;
  const auto useful = [&] { return random.real(row.low, row.high); };
  const auto integer = [&] {
    return static_cast<double>(random.below(4001) - 2000);
  };
  while (found.size() < n) {
    const auto kind = random.below(12);
    std::pair<double, double> point{std::abs(useful()), useful()};
    if (kind == 0) {
      point = {std::bit_cast<double>(random.bits()),
               std::bit_cast<double>(random.bits())};
    }
    if (kind == 1) point = {integer(), integer() / 100};
    if (kind == 2) point = {integer(), std::trunc(integer() / 100)};
    if (kind == 3) point = {random.real(-1074, 1023), random.real(-3, 1)};
    if (kind == 4) point = {1 + useful() * 0x1p-40, random.real(30, 50)};
    if (kind == 5) point = {useful(), std::trunc(useful() * 8)};
    if (kind == 6) point = {random.real(-1022, -1000), random.real(-1022, -1)};
    found.push_back(point);
  }
  return found;
}

struct Exact {
  Real value{kPrecision};
  int ternary = 0;

  void compute(const Case2& row, double x, double y) {
    Real first(53);
    Real second(53);
    set(first, x);
    set(second, y);
    ternary = row.evaluate(value.get(), first.get(), second.get(), MPFR_RNDN);
  }

  int side(double rounded) const {
    const int order = mpfr_cmp_d(value.get(), rounded);
    if (order != 0) return order < 0 ? -1 : 1;
    return ternary > 0 ? -1 : (ternary < 0 ? 1 : 0);
  }
};

TEST(DoubleBinaryFunctions, ApproximationsKeepTheirBounds) {
  for (const Case2& row : kCases) {
    Exact exact;
    for (const auto& [x, y] : points(row, 30'000, 5)) {
      const Approximation about = approximate2(row.function, x, y);
      if (std::isnan(about.hi)) continue;
      exact.compute(row, x, y);
      auto* const value = exact.value.get();
      mpfr_div_2si(value, value, about.exponent, MPFR_RNDN);
      mpfr_sub_d(value, value, about.hi, MPFR_RNDN);
      mpfr_sub_d(value, value, about.lo, MPFR_RNDN);
      mpfr_abs(value, value, MPFR_RNDN);
      ASSERT_LE(mpfr_cmp_d(value, about.error), 0)
          << row.name << " " << x << " " << y;
    }
  }
}

TEST(DoubleBinaryFunctions, ResultsAreCorrectlyRounded) {
  const FloatFormat& f64 = format(ElementType::kF64);
  for (const Case2& row : kCases) {
    std::vector<double> xs;
    std::vector<double> ys;
    for (const auto& [x, y] : points(row, 100'000, 6)) {
      xs.push_back(x);
      ys.push_back(y);
    }
    std::vector<double> results(xs.size());
    round_double2_array(row.function, xs.data(), ys.data(), results.data(),
                        static_cast<int64_t>(xs.size()));
    Exact exact;
    for (size_t i = 0; i < xs.size(); ++i) {
      exact.compute(row, xs[i], ys[i]);
      if (mpfr_nan_p(exact.value.get()) != 0) {
        ASSERT_TRUE(std::isnan(results[i])) << row.name << " " << xs[i];
        continue;
      }
      ASSERT_EQ(std::bit_cast<uint64_t>(results[i]),
                oracle::round_ieee(exact.value.get(), f64))
          << row.name << " " << xs[i] << " " << ys[i];
    }
  }
}

TEST(DoubleBinaryFunctions, SidesAreThoseOfTheExactValue) {
  const FloatFormat& f64 = format(ElementType::kF64);
  for (const Case2& row : kCases) {
    Exact exact;
    for (const auto& [x, y] : points(row, 20'000, 7)) {
      const auto rounded = round_double2(row.function, x, y);
      if (!rounded) continue;
      exact.compute(row, x, y);
      ASSERT_EQ(rounded->bits, oracle::round_ieee(exact.value.get(), f64))
          << row.name << " " << x << " " << y;
      ASSERT_EQ(rounded->side, exact.side(std::bit_cast<double>(rounded->bits)))
          << row.name << " " << x << " " << y;
    }
  }
}

TEST(DoubleBinaryFunctions, FewUsefulArgumentsAreLeftToMpfr) {
  for (const Case2& row : kCases) {
    oracle::Random random(8);
    const auto useful = [&] {
      const double whole = static_cast<double>(random.bits() >> 11) * 0x1p-53;
      const auto binades = random.below(row.high - row.low + 1);
      return std::ldexp(1 + whole, row.low + static_cast<int>(binades));
    };
    int64_t left = 0;
    constexpr int64_t kCount = 300'000;
    for (int64_t i = 0; i < kCount; ++i) {
      const double x = useful();
      const Approximation about = approximate2(row.function, x, useful());
      if (std::isnan(about.hi)) continue;  // out of the domain
      left += std::isnan(decide(about)) ? 1 : 0;
    }
    EXPECT_LE(left, kCount / 100'000) << row.name;
  }
}

}  // namespace
}  // namespace hlo::numeric
