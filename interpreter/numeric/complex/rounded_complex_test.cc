#include "interpreter/numeric/complex/rounded_complex.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <vector>

#include "interpreter/numeric/real/testing/oracle.h"

namespace hlo::numeric {
namespace {

using enum ElementType;

constexpr mpfr_prec_t kPrecision = 4500;
constexpr mpfr_rnd_t kNearest = MPFR_RNDN;

// Complex arithmetic of 4500 bits, by the formulas of textbooks.
struct Big {
  Real re{kPrecision};
  Real im{kPrecision};

  Big() = default;

  Big(double a, double b) {
    set(re, a);
    set(im, b);
  }
};

void multiply(Big& z, const Big& x, const Big& y) {
  mpfr_fmms(z.re.get(), x.re.get(), y.re.get(), x.im.get(), y.im.get(),
            kNearest);
  mpfr_fmma(z.im.get(), x.re.get(), y.im.get(), x.im.get(), y.re.get(),
            kNearest);
}

void divide(Big& z, const Big& x, const Big& y) {
  Real norm(2 * kPrecision);
  mpfr_fmma(norm.get(), y.re.get(), y.re.get(), y.im.get(), y.im.get(),
            kNearest);
  mpfr_fmma(z.re.get(), x.re.get(), y.re.get(), x.im.get(), y.im.get(),
            kNearest);
  mpfr_fmms(z.im.get(), x.im.get(), y.re.get(), x.re.get(), y.im.get(),
            kNearest);
  mpfr_div(z.re.get(), z.re.get(), norm.get(), kNearest);
  mpfr_div(z.im.get(), z.im.get(), norm.get(), kNearest);
}

// magnitude * (cos angle + i sin angle)
void polar(Big& z, mpfr_srcptr magnitude, mpfr_srcptr angle) {
  mpfr_sin_cos(z.im.get(), z.re.get(), angle, kNearest);
  mpfr_mul(z.re.get(), z.re.get(), magnitude, kNearest);
  mpfr_mul(z.im.get(), z.im.get(), magnitude, kNearest);
}

void power(Big& z, const Big& x, int numerator) {  // x^(numerator / 2)
  Real magnitude(kPrecision);
  Real angle(kPrecision);
  mpfr_hypot(magnitude.get(), x.re.get(), x.im.get(), kNearest);
  mpfr_sqrt(magnitude.get(), magnitude.get(), kNearest);
  if (numerator < 0) mpfr_ui_div(magnitude.get(), 1, magnitude.get(), kNearest);
  mpfr_atan2(angle.get(), x.im.get(), x.re.get(), kNearest);
  mpfr_mul_si(angle.get(), angle.get(), numerator, kNearest);
  mpfr_div_2ui(angle.get(), angle.get(), 1, kNearest);
  polar(z, magnitude.get(), angle.get());
}

void exponential(Big& z, const Big& x, int factor) {
  Real magnitude(kPrecision);
  Real angle(kPrecision);
  mpfr_mul_si(magnitude.get(), x.re.get(), factor, kNearest);
  mpfr_exp(magnitude.get(), magnitude.get(), kNearest);
  mpfr_mul_si(angle.get(), x.im.get(), factor, kNearest);
  polar(z, magnitude.get(), angle.get());
}

void reference(ComplexFunction function, Big& z, const Big& x) {
  Big top;
  Big bottom;
  switch (function) {
    case ComplexFunction::kNegate:
      mpfr_neg(z.re.get(), x.re.get(), kNearest);
      mpfr_neg(z.im.get(), x.im.get(), kNearest);
      return;
    case ComplexFunction::kSign:
      mpfr_hypot(bottom.re.get(), x.re.get(), x.im.get(), kNearest);
      mpfr_div(z.re.get(), x.re.get(), bottom.re.get(), kNearest);
      mpfr_div(z.im.get(), x.im.get(), bottom.re.get(), kNearest);
      return;
    case ComplexFunction::kSqrt:
      return power(z, x, 1);
    case ComplexFunction::kRsqrt:
      return power(z, x, -1);
    case ComplexFunction::kExponential:
      return exponential(z, x, 1);
    case ComplexFunction::kLog:
      mpfr_hypot(z.re.get(), x.re.get(), x.im.get(), kNearest);
      mpfr_log(z.re.get(), z.re.get(), kNearest);
      mpfr_atan2(z.im.get(), x.im.get(), x.re.get(), kNearest);
      return;
    case ComplexFunction::kTanh:
      exponential(top, x, 2);
      exponential(bottom, x, 2);
      mpfr_sub_ui(top.re.get(), top.re.get(), 1, kNearest);
      mpfr_add_ui(bottom.re.get(), bottom.re.get(), 1, kNearest);
      return divide(z, top, bottom);
    case ComplexFunction::kLogistic:
      exponential(bottom, x, -1);
      mpfr_add_ui(bottom.re.get(), bottom.re.get(), 1, kNearest);
      return divide(z, Big(1, 0), bottom);
    default:  // complex_values_test.cc
      return;
  }
}

ComplexBits code(double re, double im, const FloatFormat& f) {
  return {encode(re, f), encode(im, f)};
}

void expect_part(mpfr_srcptr exact, const Rounded& actual, const FloatFormat& f,
                 bool with_side) {
  ASSERT_EQ(actual.bits, oracle::round_ieee(exact, f))
      << decode(actual.bits, f) << " but " << mpfr_get_d(exact, kNearest);
  // The reference's own error hides on which side of a very near value it is.
  Real gap(kPrecision);
  mpfr_sub_d(gap.get(), exact, decode(actual.bits, f), kNearest);
  const bool near = mpfr_zero_p(gap.get()) != 0 ||
                    mpfr_get_exp(gap.get()) < mpfr_get_exp(exact) - 4000;
  if (!with_side || near) return;
  ASSERT_EQ(actual.side, mpfr_sgn(gap.get()) < 0 ? -1 : 1);
}

void check(ComplexFunction function, double re, double im,
           const FloatFormat& f) {
  const RoundedComplex actual = round_complex(function, code(re, im, f), f);
  Big exact;
  reference(function, exact, Big(re, im));
  const bool sides = function != ComplexFunction::kNegate;
  SCOPED_TRACE(testing::Message() << "function " << static_cast<int>(function)
                                  << " of " << re << ", " << im);
  ASSERT_NO_FATAL_FAILURE(expect_part(exact.re.get(), actual.re, f, sides));
  ASSERT_NO_FATAL_FAILURE(expect_part(exact.im.get(), actual.im, f, sides));
}

TEST(Complex, FunctionsAgreeWithTextbookFormulas) {
  oracle::Random random(30);
  for (const ElementType type : {kF32, kF64}) {
    const FloatFormat& f = format(type);
    for (int i = 0; i < 120; ++i) {
      const int low = i % 3 == 0 ? -60 : -3;
      const double re = decode(encode(random.real(low, 6), f), f);
      const double im = decode(encode(random.real(low, 6), f), f);
      for (int g = 0; g <= static_cast<int>(ComplexFunction::kLogistic); ++g) {
        ASSERT_NO_FATAL_FAILURE(
            check(static_cast<ComplexFunction>(g), re, im, f));
      }
    }
  }
}

TEST(Complex, AlgebraicFunctionsHoldForEveryExponent) {
  oracle::Random random(31);
  const FloatFormat& f = format(kF64);
  for (int i = 0; i < 150; ++i) {
    const double re = random.real(-1074, 1023);
    const double im = random.real(-1074, 1023);
    ASSERT_NO_FATAL_FAILURE(check(ComplexFunction::kSqrt, re, im, f));
    ASSERT_NO_FATAL_FAILURE(check(ComplexFunction::kRsqrt, re, im, f));
    ASSERT_NO_FATAL_FAILURE(check(ComplexFunction::kSign, re, im, f));
    ASSERT_NO_FATAL_FAILURE(check(ComplexFunction::kLog, re, im, f));
  }
}

// exp(x) + cos y, the numerator of logistic, nearly cancels.
TEST(Complex, LogisticHoldsWhereItNearlyVanishes) {
  oracle::Random random(36);
  for (const ElementType type : {kF32, kF64}) {
    const FloatFormat& f = format(type);
    for (int i = 0; i < 100; ++i) {
      const double share = static_cast<double>(random.below(1000)) / 1000;
      const double y = decode(encode(1.6 + 1.5 * share, f), f);
      const double x = decode(encode(std::log(-std::cos(y)), f), f);
      ASSERT_NO_FATAL_FAILURE(check(ComplexFunction::kLogistic, x, y, f));
    }
  }
}

// Sums that nearly cancel, in the products and in the quotients.
TEST(Complex, ProductsAndQuotientsAgreeWithLongArithmetic) {
  oracle::Random random(32);
  for (const ElementType type : {kF32, kF64}) {
    const FloatFormat& f = format(type);
    const int reach = type == kF32 ? 62 : 510;
    for (int i = 0; i < 3000; ++i) {
      const double a = decode(encode(random.real(-reach, reach), f), f);
      const double b = decode(encode(random.real(-reach, reach), f), f);
      const bool near = (i & 1) != 0;
      const double nudge = 1 + static_cast<double>(random.below(3)) * 0x1p-23;
      const double c =
          decode(encode(near ? b * nudge : random.real(-reach, reach), f), f);
      const double d =
          decode(encode(near ? a : random.real(-reach, reach), f), f);
      Big exact;
      multiply(exact, Big(a, b), Big(c, d));
      const ComplexBits x = code(a, b, f);
      const ComplexBits y = code(c, d, f);
      RoundedComplex z = round_complex2(ComplexFunction2::kMultiply, x, y, f);
      ASSERT_NO_FATAL_FAILURE(expect_part(exact.re.get(), z.re, f, true));
      ASSERT_NO_FATAL_FAILURE(expect_part(exact.im.get(), z.im, f, true));
      divide(exact, Big(a, b), Big(c, d));
      z = round_complex2(ComplexFunction2::kDivide, x, y, f);
      ASSERT_NO_FATAL_FAILURE(expect_part(exact.re.get(), z.re, f, true));
      ASSERT_NO_FATAL_FAILURE(expect_part(exact.im.get(), z.im, f, true));
    }
  }
}

// Random bits, usual numbers, zeros and partners that nearly cancel.
template <typename Code>
std::vector<Code> mixed_codes(size_t n, const FloatFormat& f, uint64_t seed) {
  oracle::Random random(seed);
  std::vector<Code> codes(n);
  for (Code& c : codes) {
    const int64_t kind = random.below(40);
    const uint64_t usual = encode(random.real(-9, 9), f);
    c = static_cast<Code>(kind < 8 ? random.bits() : usual);
    if (kind == 9) c &= static_cast<Code>(f.sign_mask());
  }
  return codes;
}

template <typename Code>
void check_arrays(const FloatFormat& f, size_t count) {
  const std::vector<Code> x = mixed_codes<Code>(2 * count, f, 33);
  std::vector<Code> y = mixed_codes<Code>(2 * count, f, 34);
  for (size_t i = 0; i + 1 < count; i += 7) {
    y[2 * i] = x[2 * i + 1];
    y[2 * i + 1] = x[2 * i] + 1;
  }
  std::vector<Code> z(2 * count);
  const auto n = static_cast<int64_t>(count);
  for (const auto function :
       {ComplexFunction2::kAdd, ComplexFunction2::kSubtract,
        ComplexFunction2::kMultiply, ComplexFunction2::kDivide}) {
    round_complex_array2(function, x.data(), y.data(), z.data(), n, f);
    for (size_t i = 0; i < count; ++i) {
      const ComplexBits one = round_complex2(function, {x[2 * i], x[2 * i + 1]},
                                             {y[2 * i], y[2 * i + 1]}, f)
                                  .bits();
      ASSERT_EQ(z[2 * i], one.re) << static_cast<int>(function);
      ASSERT_EQ(z[2 * i + 1], one.im) << static_cast<int>(function);
    }
  }
  round_complex_abs_array(x.data(), z.data(), n, f);
  for (size_t i = 0; i < count; ++i) {
    ASSERT_EQ(z[i], round_complex_abs({x[2 * i], x[2 * i + 1]}, f).bits);
  }
}

TEST(Complex, ArraysAgreeWithSingleNumbers) {
  check_arrays<uint32_t>(format(kF32), 30'000);
  check_arrays<uint64_t>(format(kF64), 10'000);
}

TEST(Complex, ValuesRoundToTheSameCodes) {
  const FloatFormat& f = format(kF32);
  oracle::Random random(35);
  for (int i = 0; i < 2000; ++i) {
    const ComplexBits x = code(random.real(-9, 9), random.real(-9, 9), f);
    const ComplexBits y = code(random.real(-9, 9), random.real(-9, 9), f);
    const std::complex<double> a(decode(x.re, f), decode(x.im, f));
    const std::complex<double> b(decode(y.re, f), decode(y.im, f));
    const auto function = static_cast<ComplexFunction2>(i % 4);
    const std::complex<double> z = complex_value2(function, a, b, f);
    const RoundedComplex exact = round_complex2(function, x, y, f);
    ASSERT_EQ(encode(z.real(), f), exact.re.bits);
    ASSERT_EQ(encode(z.imag(), f), exact.im.bits);
  }
}

}  // namespace
}  // namespace hlo::numeric
