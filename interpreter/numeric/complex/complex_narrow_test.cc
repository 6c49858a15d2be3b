#include "interpreter/numeric/complex/complex_narrow.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include "interpreter/numeric/complex/rounded_complex.h"

namespace hlo::numeric {
namespace {

const FloatFormat& f32() { return format(ElementType::kF32); }

/// Floats of sizes that the functions treat apart: ordinary ones, those near
/// 1, large and small ones, any codes.
class Floats {
 public:
  float next() {
    const uint32_t style = bits() % 8;
    const float unit = static_cast<float>(bits()) * 0x1p-32F;
    const float sign = bits() % 2 == 0 ? -1.0F : 1.0F;
    if (style < 4) return sign * (unit + 0x1p-20F) * 4;
    if (style == 4) return sign * (1 + (unit - 0.5F) * 0x1p-12F);
    if (style == 5) return sign * (unit + 0x1p-20F) * 90;
    if (style == 6) return sign * std::ldexp(unit + 0x1p-20F, -30);
    return std::bit_cast<float>(bits());
  }

 private:
  uint32_t bits() {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return static_cast<uint32_t>(state_ >> 32);
  }

  uint64_t state_ = 1;
};

ComplexBits codes(std::complex<float> z) {
  return {std::bit_cast<uint32_t>(z.real()), std::bit_cast<uint32_t>(z.imag())};
}

bool is_known(std::complex<double> z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

void expect_same(std::complex<double> fast, const RoundedComplex& exact,
                 std::complex<float> z, int function) {
  EXPECT_EQ(encode(fast.real(), f32()), exact.re.bits)
      << "function " << function << " of " << z;
  EXPECT_EQ(encode(fast.imag(), f32()), exact.im.bits)
      << "function " << function << " of " << z;
}

TEST(ComplexNarrow, KnownValuesAreTheRoundedOnes) {
  constexpr int kTries = 400;
  Floats floats;
  for (int f = 0; f <= static_cast<int>(kLastComplexFunction); ++f) {
    const auto function = static_cast<ComplexFunction>(f);
    int known = 0;
    for (int i = 0; i < kTries; ++i) {
      const std::complex<float> z(floats.next(), floats.next());
      const std::complex<double> fast = narrow_value(function, z);
      if (!is_known(fast)) continue;
      ++known;
      expect_same(fast, round_complex(function, codes(z), f32()), z, f);
    }
    const bool has_rule = function != ComplexFunction::kNegate &&
                          function != ComplexFunction::kExponential2 &&
                          function != ComplexFunction::kLog2 &&
                          function != ComplexFunction::kLog10 &&
                          function != ComplexFunction::kCbrt &&
                          function != ComplexFunction::kAsinAcosKernel;
    EXPECT_EQ(known > kTries / 3, has_rule) << f << ": " << known;
  }
}

TEST(ComplexNarrow, KnownPowersAreTheRoundedOnes) {
  Floats floats;
  int known = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::complex<float> x(floats.next(), floats.next());
    const std::complex<float> y(floats.next(), floats.next());
    const std::complex<double> fast = narrow_power(x, y);
    if (!is_known(fast)) continue;
    ++known;
    expect_same(
        fast,
        round_complex2(ComplexFunction2::kPower, codes(x), codes(y), f32()), x,
        -1);
  }
  EXPECT_GT(known, 300);
}

TEST(ComplexNarrow, LeavesZerosAndInfinitiesAlone) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::complex<double> z :
       {std::complex<double>(0, 1), {1, 0}, {infinity, 1}, {1, -infinity}}) {
    EXPECT_FALSE(is_known(narrow_value(ComplexFunction::kSqrt, z))) << z;
  }
}

}  // namespace
}  // namespace hlo::numeric
