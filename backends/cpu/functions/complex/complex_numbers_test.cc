#include "backends/cpu/functions/complex/complex_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace hlo::cpu {
namespace {

using Double = std::complex<double>;
using Float = std::complex<float>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Any NaN is NaN.
bool is(double x, double y) { return x == y || (std::isnan(x) && y != y); }

template <typename T>
void expect_parts(const std::complex<T>& z, double re, double im) {
  EXPECT_TRUE(is(z.real(), re) && is(z.imag(), im))
      << z << " is not " << Double(re, im);
}

// Annex G of C, G.5.1: an infinite operand makes an infinity; what overflows on
// the way makes none (spec/ops/multiply.md).
TEST(CpuComplex, MultipliesBeyondTheRangeOfItsProducts) {
  expect_parts(complex_product(Double(2, -0x1p512), Double(kInf, -0x1p512)),
               kInf, -kInf);
  expect_parts(complex_product(Float(2, 0x1p17F), Float(INFINITY, 0x1p113F)),
               kInf, kInf);
  expect_parts(complex_product(Double(1e300, kNan), Double(1e300, 1e300)), kNan,
               kNan);
  expect_parts(complex_product(Double(kInf, kNan), Double(1, 1)), kInf, kInf);
  expect_parts(complex_product(Double(3, 4), Double(2, -1)), 10, 5);
}

TEST(CpuComplex, DividesBeyondTheRangeOfItsProducts) {
  expect_parts(complex_quotient(Double(0, -0x1p600), Double(0, 0x1p-600)),
               -kInf, 0);
  expect_parts(
      complex_quotient(Double(0x1p1000, 0x1p1000), Double(0x1p1000, 0x1p1000)),
      1, 0);
  expect_parts(complex_quotient(Float(1, 0), Float(0, 0)), kInf, kNan);
}

// 1 / (1 + e^-z) is next to e^z for a z so far on the left.
TEST(CpuComplex, LogisticsKeepSubnormalNumbers) {
  const Float z = complex_logistic(Float(-90, 2));
  EXPECT_NEAR(z.real(), std::exp(-90.0) * std::cos(2.0), 0x1p-148);
  EXPECT_NEAR(z.imag(), std::exp(-90.0) * std::sin(2.0), 0x1p-148);
}

// As the tables of spec/numerics.md have them (Complex numbers).
TEST(CpuComplex, RootsAndLogarithmsKnowInfinitiesAndZeros) {
  expect_parts(complex_cube_root(Double(kNan, kInf)), kInf, kInf);
  expect_parts(complex_cube_root(Double(kInf, -2)), kInf, -0.0);
  expect_parts(complex_cube_root(Double(-kInf, -2)), kInf, -kInf);
  expect_parts(complex_cube_root(Double(-kInf, kNan)), kInf, kNan);
  expect_parts(arc_kernel(Double(-kInf, -2)), 2, kInf);
  expect_parts(arc_kernel(Double(kNan, -kInf)), kInf, kInf);
  expect_parts(arc_kernel(Double(kInf, kNan)), kNan, kInf);
  expect_parts(log_of_one_plus(Double(-0.0, -0.0)), -0.0, -0.0);
}

// exp(exponent log(base)) in these steps where a number is not finite.
TEST(CpuComplex, PowersOfInfinitiesGoBySteps) {
  expect_parts(complex_power(Float(0, 0), Float(2, NAN)), 0, 0);
  expect_parts(complex_power(Double(kNan, -kInf), Double(1, 0)), kInf, kNan);
  expect_parts(complex_power(Double(2, 0), Double(-kInf, kNan)), 0, 0);
  expect_parts(complex_power(Double(kInf, 0), Double(kNan, 0)), kNan, kNan);
  expect_parts(complex_power(Double(kInf, -0.0), Double(1, 0)), kInf, 0);
  // The angle of the base is no zero, but too small for a float.
  expect_parts(complex_power(Float(0x1p65F, 0x1p-119F), Float(0, -INFINITY)),
               kInf, kNan);
  // |base^(-iy)| is exp(y angle), and the angle of -1 - 0i is -pi.
  expect_parts(complex_power(Double(-1, -0.0), Double(0, -0x1p33)), 0, 0);
}

// The turn is 2 pi, 2^511 pi and 2 pi: its sine is 0, and e^real infinite.
TEST(CpuComplex, PowersThatOverflowHaveNoNanWhereTheirSineIsZero) {
  expect_parts(complex_power(Double(-1, 0), Double(-2, -0x1p513)), kInf, 0);
  expect_parts(complex_power(Double(1, -1), Double(0x1p513, 0)), kInf, 0);
  // 188,375,760 half turns, and 2^-63 log |x| more.
  expect_parts(complex_power(Float(0.5F, 0.5F), Float(-753503040, 0x1p-63F)),
               kInf, -kInf);
  expect_parts(complex_power(Float(-1, 0), Float(2, -0x1p33F)), kInf, 0);
}

// (-1)^(2^-1074 - 300 i) is e^(300 pi) (1 + i pi 2^-1074): 300 pi / log 2 is
// 1359.70..., and log2 pi 1.6515....
TEST(CpuComplex, PowersKeepAPartThatIsSmallBesideAnInfiniteOne) {
  const auto z = complex_power(Double(-1, 0), Double(0x1p-1074, -300));
  EXPECT_EQ(z.real(), kInf);
  EXPECT_NEAR(std::log2(z.imag()),
              300 * std::numbers::pi / std::numbers::ln2 +
                  std::log2(std::numbers::pi) - 1074,
              1e-9);
}

// atan((-i + a) / 1) of a small a: v = log(|1 - iy|^2 / |1 + iy|^2) / 4.
TEST(CpuComplex, AnglesNextToThePoles) {
  const double v = 250.5 * std::numbers::ln2;  // of 2^1002
  EXPECT_NEAR(complex_angle(Double(0x1p-500, 1), Double(1, 0)).imag(), v,
              1e-12);
  EXPECT_NEAR(complex_angle(Double(0x1p-500, -1), Double(1, 0)).imag(), -v,
              1e-12);
}

}  // namespace
}  // namespace hlo::cpu
