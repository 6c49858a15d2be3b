#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "interpreter/numeric/complex/rounded_complex.h"
#include "interpreter/numeric/complex/testing/complex_rows.h"

namespace hlo::numeric {
namespace {

using testing::Row;
using testing::same;
using enum ElementType;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ComplexBits code(double re, double im, const FloatFormat& f) {
  return {encode(re, f), encode(im, f)};
}

// C17, Annex G.6; and exact results.
TEST(Complex, SpecialValuesFollowAnnexG) {
  using enum ComplexFunction;
  const double pi = 0x1.921fb54442d18p1;
  const std::array rows = {
      Row{kExponential, 0.0, 0.0, 1, 0.0},
      Row{kExponential, 1, kInf, kNan, kNan},
      Row{kExponential, kInf, 0.0, kInf, 0.0},
      Row{kExponential, -kInf, 2, -0.0, 0.0},
      Row{kExponential, kInf, 2, -kInf, kInf},
      Row{kExponential, -kInf, kNan, 0, 0},
      Row{kExponential, kInf, kInf, kInf, kNan},
      Row{kExponential, kNan, 0.0, kNan, 0.0},
      Row{kLog, -0.0, 0.0, -kInf, pi},
      Row{kLog, 0.0, -0.0, -kInf, -0.0},
      Row{kLog, 1, 0.0, 0.0, 0.0},
      Row{kLog, 1, kInf, kInf, pi / 2},
      Row{kLog, -kInf, kInf, kInf, 0x1.2d97c7f3321d2p1},
      Row{kLog, kNan, kInf, kInf, kNan},
      Row{kLog, kInf, 1, kInf, 0.0},
      Row{kSqrt, -0.0, 0.0, 0.0, 0.0},
      Row{kSqrt, 0.0, -0.0, 0.0, -0.0},
      Row{kSqrt, kNan, kInf, kInf, kInf},
      Row{kSqrt, -kInf, 1, 0.0, kInf},
      Row{kSqrt, kInf, -1, kInf, -0.0},
      Row{kSqrt, -kInf, kNan, kNan, kInf},
      Row{kSqrt, -4, 0.0, 0.0, 2},
      Row{kSqrt, -4, -0.0, 0.0, -2},
      Row{kSqrt, 3, 4, 2, 1},
      Row{kSqrt, 0, 2, 1, 1},
      Row{kRsqrt, 4, 0.0, 0.5, -0.0},
      Row{kRsqrt, 0, 2, 0.5, -0.5},
      Row{kRsqrt, 0.0, 0.0, kInf, kNan},
      Row{kRsqrt, kInf, 1, 0.0, -0.0},
      Row{kTanh, 0.0, -0.0, 0.0, -0.0},
      Row{kTanh, kInf, 2, 1, -0.0},
      Row{kTanh, -kInf, kNan, -1, 0.0},
      Row{kTanh, 0.0, kInf, 0.0, kNan},
      Row{kTanh, 1, kInf, kNan, kNan},
      Row{kTanh, kNan, 0.0, kNan, 0.0},
      Row{kLogistic, 0.0, 0.0, 0.5, 0.0},
      Row{kLogistic, 0.0, 1, 0.5, 0x1.17b4f5bf3474ap-2},
      Row{kSign, 3, -4, 0x1.3333333333333p-1, -0x1.999999999999ap-1},
      Row{kSign, -0.0, 0.0, 0.0, 0.0},
      Row{kSign, kInf, 1, kNan, 0.0},
  };
  const FloatFormat& f = format(kF64);
  for (const Row& row : rows) {
    const ComplexBits z =
        round_complex(row.function, code(row.re, row.im, f), f).bits();
    EXPECT_TRUE(same(decode(z.re, f), row.result_re) &&
                same(decode(z.im, f), row.result_im))
        << static_cast<int>(row.function) << " of " << row.re << ", " << row.im
        << ": " << decode(z.re, f) << ", " << decode(z.im, f);
  }
}

struct Row2 {
  ComplexFunction2 function;
  double a, b, c, d, re, im;
};

TEST(Complex, InfinitiesSurviveProductsAndQuotients) {
  using enum ComplexFunction2;
  const std::array rows = {
      Row2{kMultiply, kInf, 0, 1, 0, kInf, kNan},
      Row2{kMultiply, kInf, kNan, 1, 1, kInf, kInf},
      Row2{kMultiply, kInf, kInf, 3, 1, kNan, kInf},
      Row2{kMultiply, kInf, kNan, 3, -1, kInf, -kInf},
      Row2{kMultiply, kNan, kNan, 1, 1, kNan, kNan},
      Row2{kMultiply, 0x1p1000, 0x1p1000, 0x1p1000, 0x1p1000, 0, kInf},
      Row2{kMultiply, -0.0, 0, 1, 0, -0.0, 0},
      Row2{kDivide, 1, 1, 0, 0, kInf, kInf},
      Row2{kDivide, 1, 1, -0.0, 0, -kInf, -kInf},
      Row2{kDivide, 0, 0, 0, 0, kNan, kNan},
      Row2{kDivide, kInf, kInf, 3, 1, kInf, kNan},
      Row2{kDivide, kInf, kNan, 3, -1, kInf, kInf},
      Row2{kDivide, 3, 1, kInf, kInf, 0, -0.0},
      Row2{kDivide, 1, kNan, kInf, 0, kNan, kNan},
      Row2{kDivide, 0x1p1000, 0x1p1000, 0x1p1000, 0x1p1000, 1, 0},
      Row2{kDivide, 0x1p-1000, 0, 0x1p-1000, 0, 1, 0},
      Row2{kAdd, 1, kInf, 2, -kInf, 3, kNan},
      Row2{kSubtract, 1, -0.0, 1, 0.0, 0, -0.0},
  };
  const FloatFormat& f = format(kF64);
  for (const Row2& row : rows) {
    const ComplexBits z = round_complex2(row.function, code(row.a, row.b, f),
                                         code(row.c, row.d, f), f)
                              .bits();
    EXPECT_TRUE(same(decode(z.re, f), row.re) && same(decode(z.im, f), row.im))
        << row.a << ", " << row.b << " and " << row.c << ", " << row.d << ": "
        << decode(z.re, f) << ", " << decode(z.im, f);
  }
}

TEST(Complex, SaturationKnowsItsSide) {
  const FloatFormat& f = format(kF32);
  const auto side = [&](ComplexFunction function, double re, double im) {
    const Rounded part = round_complex(function, code(re, im, f), f).re;
    EXPECT_EQ(std::abs(decode(part.bits, f)), 1);
    return part.side;
  };
  EXPECT_EQ(side(ComplexFunction::kTanh, 100, 0.5), -1);
  EXPECT_EQ(side(ComplexFunction::kTanh, 100, 1.5), 1);
  EXPECT_EQ(side(ComplexFunction::kTanh, -100, 1.5), -1);
  EXPECT_EQ(side(ComplexFunction::kTanh, 50, 1.5), 1);
  EXPECT_EQ(side(ComplexFunction::kLogistic, 100, 1), -1);
  EXPECT_EQ(side(ComplexFunction::kLogistic, 100, 2), 1);
  EXPECT_EQ(side(ComplexFunction::kLogistic, 50, 2), 1);
}

// A third of the angle; sqrt(1 - z^2) and the size of im asin z, where asin is
// -i log(iz + sqrt(1 - z^2)).
TEST(Complex, CubeRootsAndArcKernelsOnAxesAndAtInfinity) {
  using enum ComplexFunction;
  const double root3 = 0x1.bb67ae8584caap+0;
  const std::array rows = {
      Row{kCbrt, 0.0, -0.0, 0.0, -0.0},
      Row{kCbrt, -0.0, 0.0, 0.0, 0.0},
      Row{kCbrt, 8, -0.0, 2, -0.0},
      Row{kCbrt, -8, 0.0, 1, root3},
      Row{kCbrt, -8, -0.0, 1, -root3},
      Row{kCbrt, 0.0, 8, root3, 1},
      Row{kCbrt, -0.0, -8, root3, -1},
      Row{kCbrt, -26, -18, 0x1.0c8dc2e423980p+1, -0x1.2ed9eba16132bp+1},
      Row{kCbrt, 18, -26, 3, -1},
      Row{kCbrt, 0x1p1023, 0x1p1023, 0x1.158f1e9cd5d81p+341,
          0x1.297ca5cba998cp+339},
      Row{kCbrt, kInf, -1, kInf, -0.0},
      Row{kCbrt, -kInf, -1, kInf, -kInf},
      Row{kCbrt, kNan, kInf, kInf, kInf},
      Row{kCbrt, kInf, kNan, kInf, kNan},
      Row{kCbrt, kNan, 0.0, kNan, kNan},
      Row{kAsinAcosKernel, 0.0, -0.0, 1, 0.0},
      Row{kAsinAcosKernel, 0.0, -0.75, 1.25, 0x1.62e42fefa39efp-1},
      Row{kAsinAcosKernel, -3, 0.0, 0.0, 0x1.c34366179d427p+0},
      Row{kAsinAcosKernel, 1.125, -0.875, 1.125, 0x1.0a2b23f3bab73p+0},
      Row{kAsinAcosKernel, kInf, -2, 2, kInf},
      Row{kAsinAcosKernel, 1, -kInf, kInf, kInf},
      Row{kAsinAcosKernel, kInf, kNan, kNan, kInf},
      Row{kAsinAcosKernel, 0.0, kNan, kNan, kNan},
  };
  const FloatFormat& f = format(kF64);
  for (const Row& row : rows) {
    SCOPED_TRACE(::testing::Message() << row.re << " " << row.im);
    const ComplexBits z =
        round_complex(row.function, code(row.re, row.im, f), f).bits();
    EXPECT_TRUE(same(decode(z.re, f), row.result_re)) << decode(z.re, f);
    EXPECT_TRUE(same(decode(z.im, f), row.result_im)) << decode(z.im, f);
  }
}

TEST(Complex, MagnitudesNeitherOverflowNorVanish) {
  const FloatFormat& f = format(kF64);
  const auto magnitude = [&](double a, double b) {
    return decode(round_complex_abs(code(a, b, f), f).bits, f);
  };
  EXPECT_EQ(magnitude(3, -4), 5);
  EXPECT_EQ(magnitude(0x3p1000, 0x4p1000), 0x5p1000);
  EXPECT_EQ(magnitude(0x3p-1074, 0x4p-1074), 0x5p-1074);
  EXPECT_EQ(magnitude(kNan, -kInf), kInf);
  EXPECT_TRUE(std::isnan(magnitude(kNan, 1)));
}

}  // namespace
}  // namespace hlo::numeric
