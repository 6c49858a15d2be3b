#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "interpreter/numeric/complex/rounded_complex.h"
#include "interpreter/numeric/complex/testing/complex_rows.h"

// Special values of the functions that complex_special_test.cc leaves out:
// C17, Annex G.6, and what follows from it; cuts, zeros and exact results.
namespace hlo::numeric {
namespace {

using testing::Row;
using testing::same;
using enum ComplexFunction;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 0x1.921fb54442d18p1;
constexpr double kPi34 = 0x1.2d97c7f3321d2p1;
constexpr double kHalfLog2 = 0x1.62e42fefa39efp-2;
constexpr double kAcosh2 = 0x1.5124271980435p0;  // log(2 + sqrt 3)
constexpr double kSinh1 = 0x1.2cd9fc44eb982p0;
constexpr double kCosh1 = 0x1.8b07551d9f55p0;

// The value for z, and that for conj z, its conjugate; beside NaN the sign of
// a zero is open.
void expect_row(const Row& row, const FloatFormat& f) {
  for (const double sign : {1.0, -1.0}) {
    if (std::isnan(row.im) && sign < 0) return;
    const ComplexBits z{encode(row.re, f), encode(sign * row.im, f)};
    const ComplexBits result = round_complex(row.function, z, f).bits();
    const double re = decode(result.re, f);
    const double im = decode(result.im, f);
    EXPECT_TRUE(same(re, decode(encode(row.result_re, f), f)) &&
                same(im, decode(encode(sign * row.result_im, f), f)))
        << static_cast<int>(row.function) << " of " << row.re << ", "
        << sign * row.im << ": " << re << ", " << im;
  }
}

template <size_t N>
void expect_rows(const std::array<Row, N>& rows) {
  for (const ElementType type : {ElementType::kF64, ElementType::kF32}) {
    for (const Row& row : rows) expect_row(row, format(type));
  }
}

TEST(ComplexAnnex, Exponentials) {
  expect_rows(std::array{
      Row{kExponential2, 3, 0.0, 8, 0.0},
      Row{kExponential2, kInf, 0.0, kInf, 0.0},
      Row{kExponential2, kInf, 3, -kInf, kInf},  // 3 log 2 is 119 degrees
      Row{kExponential2, -kInf, 3, -0.0, 0.0},
      Row{kExponential2, -kInf, kInf, 0.0, 0.0},
      Row{kExponential2, 1, kInf, kNan, kNan},
      Row{kExponential2, kNan, 0.0, kNan, 0.0},
      Row{kExponentialMinusOne, -0.0, 0.0, -0.0, 0.0},
      Row{kExponentialMinusOne, -kInf, 2, -1, 0.0},
      Row{kExponentialMinusOne, kInf, 2, -kInf, kInf},
      Row{kExponentialMinusOne, -kInf, kInf, -1, 0.0},
      Row{kExponentialMinusOne, kInf, kNan, kInf, kNan},
      Row{kExponentialMinusOne, kNan, 0.0, kNan, 0.0},
      Row{kExponentialMinusOne, 1e300, 1, kInf, kInf},
      Row{kExponentialMinusOne, -1e300, 1, -1, 0.0},
  });
}

// e^z where that vanishes, and 1 - e^-z where e^-z does.
TEST(ComplexAnnex, Logistics) {
  expect_rows(std::array{
      Row{kLogistic, kInf, 0.0, 1, 0.0},
      Row{kLogistic, kInf, 2, 1, 0.0},
      Row{kLogistic, kInf, 4, 1, -0.0},
      Row{kLogistic, 1000, 4, 1, -0.0},
      Row{kLogistic, kInf, kInf, 1, 0.0},
      Row{kLogistic, kInf, kNan, 1, 0.0},
      Row{kLogistic, -kInf, 0.0, 0.0, 0.0},
      Row{kLogistic, -kInf, 2, -0.0, 0.0},
      Row{kLogistic, -kInf, 5, 0.0, -0.0},
      Row{kLogistic, -1000, 5, 0.0, -0.0},
      Row{kLogistic, -kInf, kInf, 0.0, 0.0},
      Row{kLogistic, -kInf, kNan, 0.0, 0.0},
      Row{kLogistic, 1, kInf, kNan, kNan},
      Row{kLogistic, kNan, 0.0, kNan, kNan},
      Row{kLogistic, kNan, kInf, kNan, kNan},
  });
}

TEST(ComplexAnnex, Logarithms) {
  expect_rows(std::array{
      Row{kLog2, -0.0, 0.0, -kInf, 0x1.22123045b5decp2},  // pi / log 2
      Row{kLog2, 0.0, 0.0, -kInf, 0.0},
      Row{kLog2, 8, 0.0, 3, 0.0},
      Row{kLog2, kInf, 1, kInf, 0.0},
      Row{kLog2, kNan, kInf, kInf, kNan},
      Row{kLog10, 1000, 0.0, 3, 0.0},
      Row{kLog10, kInf, kNan, kInf, kNan},
      Row{kLog10, kNan, 1, kNan, kNan},
      Row{kLogPlusOne, -0.0, 0.0, -0.0, 0.0},
      Row{kLogPlusOne, -1, 0.0, -kInf, 0.0},
      Row{kLogPlusOne, -2, 0.0, 0.0, kPi},
      Row{kLogPlusOne, -1, 1, 0.0, kPi / 2},
      Row{kLogPlusOne, -kInf, 1, kInf, kPi},
      Row{kLogPlusOne, 1, kInf, kInf, kPi / 2},
      Row{kLogPlusOne, -kInf, kInf, kInf, kPi34},
      Row{kLogPlusOne, 1, kNan, kNan, kNan},
      Row{kLogPlusOne, kNan, kInf, kInf, kNan},
  });
}

TEST(ComplexAnnex, CircularFunctions) {
  expect_rows(std::array{
      Row{kSine, -0.0, 0.0, -0.0, 0.0},    Row{kSine, 0.0, 1, 0.0, kSinh1},
      Row{kSine, 0.0, kInf, 0.0, kInf},    Row{kSine, 1, kInf, kInf, kInf},
      Row{kSine, 2, kInf, kInf, -kInf},    Row{kSine, kInf, 0.0, kNan, 0.0},
      Row{kSine, kInf, 1, kNan, kNan},     Row{kSine, kInf, kInf, kNan, kInf},
      Row{kSine, kNan, 0.0, kNan, 0.0},    Row{kSine, 0.0, kNan, 0.0, kNan},
      Row{kCosine, 0.0, 0.0, 1, -0.0},     Row{kCosine, 0.0, 1, kCosh1, -0.0},
      Row{kCosine, -0.0, 1, kCosh1, 0.0},  Row{kCosine, 1, kInf, kInf, -kInf},
      Row{kCosine, kInf, 1, kNan, kNan},   Row{kCosine, kInf, kInf, kInf, kNan},
      Row{kCosine, 0.0, kNan, kNan, -0.0}, Row{kTan, 0.0, 0.0, 0.0, 0.0},
      Row{kTan, 1, kInf, 0.0, 1},          Row{kTan, 2, kInf, -0.0, 1},
      Row{kTan, kInf, kInf, 0.0, 1},       Row{kTan, kInf, 0.0, kNan, 0.0},
      Row{kTan, kNan, 1, kNan, kNan},
  });
}

TEST(ComplexAnnex, HyperbolicFunctions) {
  expect_rows(std::array{
      Row{kSinh, 0.0, 2, -0.0, 0x1.d18f6ead1b446p-1},  // sin 2
      Row{kSinh, 0.0, kInf, 0.0, kNan},
      Row{kSinh, kInf, 0.0, kInf, 0.0},
      Row{kSinh, -kInf, 2, kInf, kInf},
      Row{kSinh, kInf, kInf, kInf, kNan},
      Row{kSinh, 1, kInf, kNan, kNan},
      Row{kSinh, kNan, 0.0, kNan, 0.0},
      Row{kSinh, kNan, 1, kNan, kNan},
      Row{kCosh, -0.0, 0.0, 1, -0.0},
      Row{kCosh, kInf, 0.0, kInf, 0.0},
      Row{kCosh, -kInf, 2, -kInf, -kInf},
      Row{kCosh, kInf, kNan, kInf, kNan},
      Row{kCosh, kNan, 0.0, kNan, 0.0},
      Row{kCosh, 1, kInf, kNan, kNan},
  });
}

TEST(ComplexAnnex, InverseCircularFunctions) {
  expect_rows(std::array{
      Row{kAsin, 0.0, 0.0, 0.0, 0.0},
      Row{kAsin, 2, 0.0, kPi / 2, kAcosh2},
      Row{kAsin, -2, 0.0, -kPi / 2, kAcosh2},
      Row{kAsin, 1, 0.0, kPi / 2, 0.0},
      Row{kAsin, kInf, 1, kPi / 2, kInf},
      Row{kAsin, 1, kInf, 0.0, kInf},
      Row{kAsin, kInf, kInf, kPi / 4, kInf},
      Row{kAsin, kNan, kInf, kNan, kInf},
      Row{kAsin, 0.0, kNan, 0.0, kNan},
      Row{kAcos, 0.0, 0.0, kPi / 2, -0.0},
      Row{kAcos, 1, 0.0, 0.0, -0.0},
      Row{kAcos, -1, 0.0, kPi, -0.0},
      Row{kAcos, 2, 0.0, 0.0, -kAcosh2},
      Row{kAcos, -2, 0.0, kPi, -kAcosh2},
      Row{kAcos, 0.0, kNan, kPi / 2, kNan},
      Row{kAcos, 1, kInf, kPi / 2, -kInf},
      Row{kAcos, -kInf, 1, kPi, -kInf},
      Row{kAcos, kInf, 1, 0.0, -kInf},
      Row{kAcos, -kInf, kInf, kPi34, -kInf},
      Row{kAcos, kNan, kInf, kNan, -kInf},
      Row{kAcos, 1, kNan, kNan, kNan},
      Row{kAtan, 0.0, 1, 0.0, kInf},
      Row{kAtan, 0.0, 2, kPi / 2, 0x1.193ea7aad030bp-1},
      Row{kAtan, -0.0, 2, -kPi / 2, 0x1.193ea7aad030bp-1},
      Row{kAtan, kInf, 1, kPi / 2, 0.0},
      Row{kAtan, 1, kInf, kPi / 2, 0.0},
      Row{kAtan, kInf, kNan, kPi / 2, 0.0},
      Row{kAtan, kNan, 0.0, kNan, 0.0},
  });
}

TEST(ComplexAnnex, InverseHyperbolicFunctions) {
  expect_rows(std::array{
      Row{kAsinh, 0.0, 2, kAcosh2, kPi / 2},
      Row{kAsinh, -0.0, 2, -kAcosh2, kPi / 2},
      Row{kAsinh, 0.0, 1, 0.0, kPi / 2},
      Row{kAsinh, 1, kInf, kInf, kPi / 2},
      Row{kAsinh, -kInf, kInf, -kInf, kPi / 4},
      Row{kAsinh, kInf, kNan, kInf, kNan},
      Row{kAsinh, kNan, 0.0, kNan, 0.0},
      Row{kAsinh, kNan, 1, kNan, kNan},
      Row{kAsinh, 1, kNan, kNan, kNan},
      Row{kAcosh, 0.0, 0.0, 0.0, kPi / 2},
      Row{kAcosh, 1, 0.0, 0.0, 0.0},
      Row{kAcosh, -2, 0.0, kAcosh2, kPi},
      Row{kAcosh, -kInf, 1, kInf, kPi},
      Row{kAcosh, -kInf, kInf, kInf, kPi34},
      Row{kAcosh, kInf, kNan, kInf, kNan},
      Row{kAcosh, kNan, 1, kNan, kNan},
      Row{kAcosh, kNan, kInf, kInf, kNan},
      Row{kAtanh, 1, 0.0, kInf, 0.0},
      Row{kAtanh, -1, 0.0, -kInf, 0.0},
      Row{kAtanh, 2, 0.0, 0x1.193ea7aad030bp-1, kPi / 2},
      Row{kAtanh, 0.0, 1, 0.0, kPi / 4},
      Row{kAtanh, kInf, 1, 0.0, kPi / 2},
      Row{kAtanh, kInf, kNan, 0.0, kNan},
      Row{kAtanh, 1, kInf, 0.0, kPi / 2},
      Row{kAtanh, kNan, kInf, 0.0, kPi / 2},
      Row{kAtanh, 0.0, kNan, 0.0, kNan},
      Row{kAtanh, 1, kNan, kNan, kNan},
  });
}

struct PairRow {
  double a, b, c, d, re, im;
};

template <size_t N>
void expect_pairs(ComplexFunction2 function,
                  const std::array<PairRow, N>& rows) {
  const FloatFormat& f = format(ElementType::kF64);
  for (const PairRow& row : rows) {
    const ComplexBits z =
        round_complex2(function, {encode(row.a, f), encode(row.b, f)},
                       {encode(row.c, f), encode(row.d, f)}, f)
            .bits();
    EXPECT_TRUE(same(decode(z.re, f), row.re) && same(decode(z.im, f), row.im))
        << row.a << ", " << row.b << " and " << row.c << ", " << row.d << ": "
        << decode(z.re, f) << ", " << decode(z.im, f);
  }
}

TEST(ComplexAnnex, Powers) {
  const std::array rows = {
      PairRow{kNan, kNan, 0.0, 0.0, 1, 0.0},
      PairRow{1, -0.0, kNan, kInf, 1, 0.0},
      PairRow{kInf, 0.0, 2, 0.0, kInf, 0.0},
      PairRow{kInf, 0.0, -2, 0.0, 0.0, 0.0},
      PairRow{kInf, 0.0, kNan, 0.0, kNan, kNan},
      PairRow{0.0, 0.0, 2, 3, 0.0, 0.0},
      PairRow{0.0, 0.0, -2, 0.0, kInf, kNan},
      PairRow{0.0, 0.0, 0.0, 1, kNan, kNan},
      PairRow{0.5, 0.0, kInf, 0.0, 0.0, 0.0},
      PairRow{2, 0.0, kInf, 0.0, kInf, kNan},
      PairRow{-kInf, 0.0, 2, 0.0, kInf, kNan},
      PairRow{2, 0.0, kNan, 0.0, kNan, kNan},
      PairRow{3, 4, 2, 0.0, -7, 24},
      PairRow{3, -4, 2, 0.0, -7, -24},
      PairRow{3, 4, 0.5, 0.0, 2, 1},
      PairRow{-7, -24, 0.5, 0.0, 3, -4},
      PairRow{1, 1, -2, 0.0, 0.0, -0.5},
      PairRow{1, 1, 4, 0.0, -4, 0.0},
      PairRow{1, -1, 4, 0.0, -4, -0.0},
      PairRow{-4, 0.0, 0.25, 0.0, 1, 1},
      PairRow{-4, -0.0, 0.5, 0.0, 0.0, -2},
      PairRow{2, 0.0, 3, 0.0, 8, 0.0},
      PairRow{0.0, 1, 1e300, 0.0, 1, 0.0},
      PairRow{0.0, 2, 1e300, 0.0, kInf, 0.0},
      PairRow{1, 1, 0x1p60, 0.0, kInf, 0.0},
      PairRow{0.0, 1, 0.0, 1, 0x1.a9bcc46f767dfp-3, 0.0},   // exp(-pi/2)
      PairRow{-1, 0.0, 0.5, 1, 0.0, 0x1.620227b598ef9p-5},  // i exp(-pi)
      PairRow{0x1p500, 0x1p500, 2, 0.0, 0.0, 0x1p1001},
      PairRow{0x1p600, 0x1p600, 2, 0.0, 0.0, kInf},
  };
  expect_pairs(ComplexFunction2::kPower, rows);
}

// Angles of a + bi and c + di: on the axes and cuts, and where it has no limit.
TEST(ComplexAnnex, Angles) {
  expect_pairs(ComplexFunction2::kAtan2,
               std::array{
                   PairRow{1, 0.0, 0.0, 0.0, kPi / 2, 0.0},
                   PairRow{-1, 0.0, 0.0, -0.0, -kPi / 2, 0.0},
                   PairRow{0.0, 0.0, -2, 0.0, kPi, -0.0},
                   PairRow{-0.0, 0.0, -2, 0.0, kPi, -0.0},
                   PairRow{-0.0, 0.0, -2, -0.0, -kPi, -0.0},
                   PairRow{-0.0, -0.0, 2, -0.0, -0.0, -0.0},
                   PairRow{1, 0.0, -1, 0.0, kPi34, -0.0},
                   PairRow{0.0, 0.0, 0.0, 2, 0.0, 0.0},
                   PairRow{0.0, 0.0, 0.0, -2, kPi, 0.0},
                   PairRow{0.0, 0.0, -3, 4, kPi, -0.0},
                   // parallel
                   PairRow{1, 1, 1, 1, kPi / 4, 0.0},
                   PairRow{3, -4, -3, 4, kPi34, 0.0},
                   // perpendicular: atanh(1/3)
                   PairRow{0.0, 1, 3, 0.0, 0.0, kHalfLog2},
                   PairRow{-0.0, 1, 3, -0.0, -0.0, kHalfLog2},
                   PairRow{0.0, 1, -3, 0.0, kPi, -kHalfLog2},
                   PairRow{-0.0, 1, -3, -0.0, -kPi, -kHalfLog2},
                   PairRow{-1, 3, 9, 3, 0.0, kHalfLog2},
                   PairRow{1, -3, -9, -3, kPi, kHalfLog2},
                   PairRow{0.0, 3, 1, 0.0, kPi / 2, kHalfLog2},
                   PairRow{0.0, 3, -1, 0.0, kPi / 2, -kHalfLog2},
                   PairRow{0.0, -3, 1, 0.0, -kPi / 2, -kHalfLog2},
                   PairRow{-9, 3, 1, 3, -kPi / 2, kHalfLog2},
                   // the root's cut
                   PairRow{-0.0, 1, 0.0, -0.0, -kPi / 2, 0.0},
                   PairRow{-0.0, 1, -0.0, 0.0, -kPi / 2, -0.0},
                   // poles, and what is not finite
                   PairRow{0.0, 1, 1, 0.0, kNan, kInf},
                   PairRow{-4, 3, 3, 4, kNan, kInf},
                   PairRow{4, -3, 3, 4, kNan, -kInf},
                   PairRow{0.0, 0.0, 0.0, 0.0, kNan, kNan},
                   PairRow{1, 0.0, kInf, 0.0, kNan, kNan},
                   PairRow{1, 0.0, 1, kNan, kNan, kNan},
               });
}

}  // namespace
}  // namespace hlo::numeric
