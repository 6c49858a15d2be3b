#include "conformance/sweep/error_units.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "conformance/sweep/f32_errors.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/rounded.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using numeric::Real;

constexpr mpfr_prec_t kPrecision = 3000;

/// The units by one formula, at 3,000 bits, of MPFR's own function.
int64_t units_by_formula(const Real& r, double y, const FloatFormat& format) {
  Real d(kPrecision);
  mpfr_d_sub(d.get(), y, r.get(), MPFR_RNDN);
  mpfr_abs(d.get(), d.get(), MPFR_RNDN);
  const bool is_zero = mpfr_zero_p(r.get()) != 0;
  const int64_t exponent = is_zero ? -5000 : mpfr_get_exp(r.get()) - 1;
  const int64_t ulp =
      std::max<int64_t>(exponent, format.min_exponent()) - format.mantissa_bits;
  mpfr_mul_2si(d.get(), d.get(), 10 - ulp, MPFR_RNDN);
  mpfr_floor(d.get(), d.get());
  const bool many = mpfr_cmp_si(d.get(), kMostUnits) >= 0;
  return many ? kMostUnits : mpfr_get_si(d.get(), MPFR_RNDN);
}

int64_t exponential_units(double x, uint64_t actual,
                          const FloatFormat& format) {
  Real r(kPrecision);
  mpfr_set_d(r.get(), x, MPFR_RNDN);
  mpfr_exp(r.get(), r.get(), MPFR_RNDN);
  return units_by_formula(r, numeric::decode(actual, format), format);
}

uint64_t rounded_exponential(uint64_t x, const FloatFormat& format) {
  return numeric::round_function(numeric::Function::kExponential, x, format)
      .bits;
}

int64_t units(std::string_view op, const std::vector<double>& operands,
              uint64_t reference, uint64_t actual, ElementType type) {
  return error_units(*find_op(op), operands, reference, actual,
                     numeric::format(type));
}

// e = 0x1.5bf0a8b1457695...p+1, and a unit of f32 there is two of the sixth hex
// digit behind the point: e lies 0x0.b14576.../2 = 0.34626... of it above
// 402df854.
TEST(ErrorUnits, AreThoseOfStatedValues) {
  EXPECT_EQ(
      units("exponential", {1}, 0x402df854, 0x402df854, ElementType::kF32),
      354);  // 0.34626... * 1024 = 354.57
  EXPECT_EQ(
      units("exponential", {1}, 0x402df854, 0x402df855, ElementType::kF32),
      669);  // 1024 - 354.57
  EXPECT_EQ(
      units("exponential", {0}, 0x3f800000, 0x3f800000, ElementType::kF32), 0);
  // One step below 1 is half a unit of 1, one above it a whole one.
  EXPECT_EQ(
      units("exponential", {0}, 0x3f800000, 0x3f7fffff, ElementType::kF32),
      512);
  EXPECT_EQ(
      units("exponential", {0}, 0x3f800000, 0x3f800001, ElementType::kF32),
      1024);
  // 1 + 2^-30 is beside 1 by 2^-7 units, which is 8 of 1024.
  EXPECT_EQ(
      units("add", {1, 0x1p-30}, 0x3f800000, 0x3f800000, ElementType::kF32), 8);
  EXPECT_EQ(units("subtract", {1, 0x1p-30}, 0x3f800000, 0x3f800000,
                  ElementType::kF32),
            16);
  // 1/3 = 0x1.555555|5...p-2: a third of a unit.
  EXPECT_EQ(units("divide", {1, 3}, 0x3eaaaaab, 0x3eaaaaaa, ElementType::kF32),
            682);
  EXPECT_EQ(units("divide", {1, 3}, 0x3eaaaaab, 0x3eaaaaab, ElementType::kF32),
            341);
  // A result that is flushed to zero, and one that is far off.
  EXPECT_EQ(units("exponential", {-90}, 0, 0, ElementType::kF32),
            exponential_units(-90, 0, numeric::format(ElementType::kF32)));
  EXPECT_EQ(
      units("exponential", {0}, 0x3f800000, 0x7f7fffff, ElementType::kF32),
      kMostUnits);
}

// r just beside a border: the side on which it lies decides.
TEST(ErrorUnits, DecideBordersBySides) {
  // exp(2^-33) = 1 + 2^-33 + 2^-67: just above the first border above 1.
  EXPECT_EQ(units("exponential", {0x1p-33}, 0x3f800000, 0x3f800000,
                  ElementType::kF32),
            1);
  // exp(-2^-34) = 1 - 2^-34 + 2^-69: short of the border.
  EXPECT_EQ(units("exponential", {-0x1p-34}, 0x3f800000, 0x3f800000,
                  ElementType::kF32),
            0);
}

TEST(ErrorUnits, AreThoseOfTheFormula) {
  std::mt19937_64 draw(1);
  for (const ElementType type :
       {ElementType::kF8E5M2, ElementType::kBF16, ElementType::kF16,
        ElementType::kF32, ElementType::kF64}) {
    const FloatFormat& format = numeric::format(type);
    for (int i = 0; i < 3000; ++i) {
      const double x = std::ldexp(static_cast<double>(draw() >> 11) - 0x1p52,
                                  static_cast<int>(draw() % 60) - 105);
      const uint64_t code = numeric::encode(x, format);
      const double value = numeric::decode(code, format);
      const uint64_t right = rounded_exponential(code, format);
      if (numeric::is_nan(right, format) ||
          numeric::is_infinity(right, format)) {
        continue;
      }
      const bool near = i % 4 != 0;
      uint64_t actual =
          right ^ (near ? draw() % 4 : draw() % format.max_finite());
      if (actual > format.max_finite()) actual = right;
      EXPECT_EQ(units("exponential", {value}, right, actual, type),
                exponential_units(value, actual, format))
          << name(type) << " " << value << " " << actual;
    }
  }
}

// The kernel's answers are those of the formula, and few are left open.
TEST(F32Errors, AreThoseOfTheFormula) {
  const FloatFormat& format = numeric::format(ElementType::kF32);
  std::mt19937 draw(2);
  std::vector<uint32_t> x;
  for (int i = 0; i < 6000; ++i) {
    const auto code = static_cast<uint32_t>(draw());
    // A third near 0, where results are beside 1; a third up to +-128.
    x.push_back(i % 3 == 0   ? code
                : i % 3 == 1 ? (code & 0x80ffffff) | 0x30000000
                             : (code & 0x83ffffff) | 0x40000000);
  }
  for (const uint32_t special : {0U, 0x80000000U, 1U, 0x7f800000U, 0xff800000U,
                                 0x7fc00000U, 0xc2e00000U, 0xc2cff1b5U}) {
    x.push_back(special);
  }
  // +-2^-60, where the exact value may be on either side of 1.
  for (int i = 0; i < 32; ++i) x.push_back(i < 16 ? 0xa1800000U : 0x21800000U);
  const size_t n = x.size();
  std::vector<uint32_t> actual(n);
  for (size_t i = 0; i < n; ++i) {
    actual[i] = static_cast<uint32_t>(rounded_exponential(x[i], format)) ^
                (i % 2 == 0 ? draw() % 4 : 0);
  }
  std::vector<uint32_t> reference(n);
  std::vector<int32_t> found(n);
  f32_errors(numeric::fast_path(numeric::Function::kExponential), x.data(),
             actual.data(), reference.data(), found.data(),
             static_cast<int64_t>(n));
  int open = 0;
  int measured = 0;
  for (size_t i = 0; i < n; ++i) {
    open += found[i] == kOpen ? 1 : 0;
    if (found[i] == kOpen) continue;
    const uint64_t right = rounded_exponential(x[i], format);
    if (found[i] == kNotANumber) {
      const bool special =
          numeric::is_nan(right, format) || numeric::is_infinity(right, format);
      EXPECT_TRUE(special) << x[i];
      continue;
    }
    ++measured;
    EXPECT_EQ(reference[i], right) << x[i];
    EXPECT_EQ(found[i],
              exponential_units(std::bit_cast<float>(x[i]), actual[i], format))
        << x[i];
  }
  EXPECT_GT(measured, 3000);
  EXPECT_LT(open, 1500);  // infinities that are one bit off, and hard cases
}

}  // namespace
}  // namespace hlo::conformance
