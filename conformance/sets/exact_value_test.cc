#include "conformance/sets/exact_value.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <span>

#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using numeric::Real;

// An exact product of a double and a quotient's or root's code.
constexpr mpfr_prec_t kPrecision = 2300;

/// The sign of x / y - q, or of sqrt(x) - q, by MPFR alone.
int side_of(std::span<const double> x, double q) {
  Real rest(kPrecision);
  numeric::set(rest, -q);
  mpfr_mul_d(rest.get(), rest.get(), x.size() == 1 ? q : x[1], MPFR_RNDN);
  mpfr_add_d(rest.get(), rest.get(), x[0], MPFR_RNDN);
  const int sign = mpfr_sgn(rest.get());
  const int side = (sign > 0) - (sign < 0);
  return x.size() == 2 && x[1] < 0 ? -side : side;
}

/// The code of x / y or sqrt(x); narrower formats are rounded from a double
/// rounded to odd.
uint64_t rounded(std::span<const double> x, const FloatFormat& format) {
  Real r(kPrecision);
  numeric::set(r, x[0]);
  if (x.size() == 1) {
    mpfr_sqrt(r.get(), r.get(), MPFR_RNDZ);
  } else {
    mpfr_div_d(r.get(), r.get(), x[1], MPFR_RNDZ);
  }
  const double nearest = mpfr_get_d(r.get(), MPFR_RNDN);
  if (format.type == ElementType::kF64) {
    return numeric::encode(nearest, format);
  }
  const double toward_zero = mpfr_get_d(r.get(), MPFR_RNDZ);
  const double away = mpfr_get_d(r.get(), MPFR_RNDA);
  const bool is_even = (std::bit_cast<uint64_t>(toward_zero) & 1) == 0;
  const bool is_exact = side_of(x, toward_zero) == 0;
  return numeric::encode(is_even && !is_exact ? away : toward_zero, format);
}

void expect_side(const char* operation, std::span<const double> x,
                 ElementType type) {
  const FloatFormat& format = numeric::format(type);
  const uint64_t code = rounded(x, format);
  if (!is_finite(code, format)) return;
  const auto value = exact_value(*find_op(operation), x, code, format);
  ASSERT_TRUE(value);
  const int side = side_of(x, numeric::decode(code, format));
  EXPECT_EQ(value->rounded.side, side)
      << operation << ' ' << x.front() << ' ' << x.back() << ' ' << name(type);
}

constexpr std::array<ElementType, 5> kNarrow = {
    ElementType::kF32, ElementType::kF16, ElementType::kF8E5M2,
    ElementType::kF4E2M1FN, ElementType::kF8E8M0FNU};

double any_double(std::mt19937_64& random, int exponents) {
  const double significand = std::ldexp(random() >> 11 | 1, -52);
  const int sign = random() % 2 == 0 ? 1 : -1;
  const auto range = static_cast<uint64_t>(2 * exponents + 1);
  return sign * std::ldexp(significand,
                           static_cast<int>(random() % range) - exponents);
}

// A double beside a tie of the narrow format, in front of a divisor.
TEST(ExactValue, TellsTheSideOfQuotientsBesideTies) {
  std::mt19937_64 random(5);
  for (const ElementType type : kNarrow) {
    const FloatFormat& format = numeric::format(type);
    for (int n = 0; n < 2000; ++n) {
      const uint64_t code = random() % format.max_finite();
      const double tie = numeric::decode(code, format) / 2 +
                         numeric::decode(code + 1, format) / 2;
      const double y = any_double(random, 60);
      expect_side("divide", std::array{tie * y, y}, type);
    }
  }
}

TEST(ExactValue, TellsTheSideOfRootsBesideTies) {
  std::mt19937_64 random(6);
  for (const ElementType type : kNarrow) {
    const FloatFormat& format = numeric::format(type);
    for (int n = 0; n < 2000; ++n) {
      const uint64_t code = random() % format.max_finite();
      const double tie = numeric::decode(code, format) / 2 +
                         numeric::decode(code + 1, format) / 2;
      expect_side("sqrt", std::array{tie * tie}, type);
    }
  }
}

// Also the quotients that are below the least double, or beyond the largest.
TEST(ExactValue, TellsTheSideOfQuotientsOfAllMagnitudes) {
  std::mt19937_64 random(7);
  for (int n = 0; n < 5000; ++n) {
    const std::array x = {any_double(random, 1022), any_double(random, 1000)};
    for (const ElementType type : kNarrow) expect_side("divide", x, type);
    expect_side("divide", x, ElementType::kF64);
  }
}

TEST(ExactValue, TellsOverflowFromPole) {
  const FloatFormat& format = numeric::format(ElementType::kF64);
  const Op& divide = *find_op("divide");
  const uint64_t infinity = numeric::encode(HUGE_VAL, format);
  EXPECT_EQ(exact_value(divide, std::array{1e308, 1e-10}, infinity, format)
                ->rounded.side,
            -1);
  EXPECT_EQ(exact_value(divide, std::array{1e308, 0.0}, infinity, format)
                ->rounded.side,
            0);
}

}  // namespace
}  // namespace hlo::conformance
