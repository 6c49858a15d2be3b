#include <gtest/gtest.h>

#include "backends/gpu/testing/device_runs.h"

// Operations whose exact results rational numbers and roots are: values by
// hand, and of 2000 bits of mpmath.

namespace hlo::gpu {
namespace {

// x0 = 1/3 and x1 = 2/21; the second side cancels: 1 + 2^-23 - 3 (1/3).
TEST(GpuAlgebra, SolvesWithoutRoundingOnTheWay) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      a = f32[2,2] constant({{3, 0}, {1, 7}})
      b = f32[2,1] constant({{1}, {1}})
      ROOT r = f32[2,1] triangular-solve(a, b), left_side=true, lower=true
    })"),
              (Bits{0x3eaaaaab, 0x3dc30c31}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      a = f32[2,2] constant({{3, 3}, {0, 1}})
      b = f32[1,2] constant({{1, 1.00000012}})
      ROOT r = f32[1,2] triangular-solve(a, b), lower=false
    })"),
              (Bits{0x3eaaaaab, 0x34000000}))
        << backend->name();
  }
}

// Over 0, over an infinity, and what stands on their results.
TEST(GpuAlgebra, SolvesWithPivotsThatDivideNothing) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(
        bits_of(*backend, R"(ENTRY main {
      a = f32[3,2,2] constant({{{-0, 0}, {2, 1}}, {{inf, 0}, {2, 1}},
                               {{0, 0}, {0, 1}}})
      b = f32[3,2,1] constant({{{1}, {1}}, {{1}, {1}}, {{1}, {1}}})
      ROOT r = f32[3,2,1] triangular-solve(a, b), left_side=true, lower=true
    })"),
        (Bits{0xff800000, 0x7f800000, 0, 0x3f800000, 0x7f800000, 0x7fc00000}))
        << backend->name();
  }
}

// x0 = 1 / (3 + 4i) = 0.12 - 0.16i.
TEST(GpuAlgebra, SolvesComplexSystems) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      a = c64[1,1] constant({{(3, -4)}})
      b = c64[1,1] constant({{(1, 0)}})
      ROOT r = c64[1,1] triangular-solve(a, b), left_side=true, lower=true,
        transpose_a=ADJOINT
    })"),
              (Bits{0x3df5c28f, 0xbe23d70a}))
        << backend->name();
  }
}

// The pivot of row 1 is 2^-52, a square; then one that is 0, and one whose
// factor is rational after two steps: rows (2), (1, 1), (3, 2, 4).
TEST(GpuAlgebra, FactorsMatrices) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      a = f64[2,2,2] constant({{{1, 1}, {1, 1.0000000000000002}},
                               {{1, 1}, {1, 1}}})
      ROOT r = f64[2,2,2] cholesky(a), lower=true
    })"),
              (Bits{0x3ff0000000000000, 0, 0x3ff0000000000000,
                    0x3e50000000000000, 0x7ff8000000000000, 0x7ff8000000000000,
                    0x7ff8000000000000, 0x7ff8000000000000}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      a = f32[3,3] constant({{4, 2, 6}, {0, 2, 5}, {0, 0, 29}})
      ROOT r = f32[3,3] cholesky(a), lower=false
    })"),
              (Bits{0x40000000, 0x3f800000, 0x40400000, 0, 0x3f800000,
                    0x40000000, 0, 0, 0x40800000}))
        << backend->name();
  }
}

// {0, 0, 1} has the mean 1/3 and the variance 2/9, and becomes -1/sqrt 2,
// -1/sqrt 2, sqrt 2.
TEST(GpuAlgebra, NormalizesByTheExactMean) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(
        bits_of(*backend, R"(ENTRY main {
      x = f32[3,1] constant({{0}, {0}, {1}})
      one = f32[1] constant({1})
      zero = f32[1] constant({0})
      ROOT r = (f32[3,1], f32[1], f32[1]) batch-norm-training(x, one, zero),
        epsilon=0, feature_index=1
    })"),
        (Bits{0xbf3504f3, 0xbf3504f3, 0x3fb504f3, 0x3eaaaaab, 0x3e638e39}))
        << backend->name();
  }
}

// (4 - 1) 2 / sqrt(3 + 1) - 3 = 0, and with 2^-23 more that.
TEST(GpuAlgebra, NormalizesWhereTheOffsetCancels) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f32[2,1] constant({{4}, {4.0000005}})
      two = f32[1] constant({2})
      offset = f32[1] constant({-3})
      one = f32[1] constant({1})
      three = f32[1] constant({3})
      ROOT r = f32[2,1] batch-norm-inference(x, two, offset, one, three),
        epsilon=1, feature_index=1
    })"),
              (Bits{0, 0x35000000}))
        << backend->name();
  }
}

// With mean 0 and variance 1, N = 3: g = 12 and s = 1, (9 - 12 + 1) / 3,
// (15 - 12) / 3 and (12 - 12 - 1) / 3.
TEST(GpuAlgebra, GivesGradientsOfNormalization) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(
        bits_of(*backend, R"(ENTRY main {
      x = f32[3,1] constant({{-1}, {0}, {1}})
      dy = f32[3,1] constant({{3}, {5}, {4}})
      one = f32[1] constant({1})
      zero = f32[1] constant({0})
      ROOT r = (f32[3,1], f32[1], f32[1]) batch-norm-grad(x, one, zero, one, dy),
        epsilon=0, feature_index=1
    })"),
        (Bits{0xbf2aaaab, 0x3f800000, 0xbeaaaaab, 0x3f800000, 0x41400000}))
        << backend->name();
  }
}

// exp(-2 pi i k / 8), and of order 3: 0s and halves are exact.
TEST(GpuTransforms, GiveRootsOfUnity) {
  constexpr uint64_t kRoot = 0x3fe6a09e667f3bcd;  // of 1/2
  constexpr uint64_t kOne = 0x3ff0000000000000;
  constexpr uint64_t kMinus = uint64_t{1} << 63;
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f64[8] constant({0, 1, 0, 0, 0, 0, 0, 0})
      ROOT r = c128[5] fft(x), fft_type=RFFT, fft_length={8}
    })"),
              (Bits{kOne, 0, kRoot, kRoot | kMinus, 0, kOne | kMinus,
                    kRoot | kMinus, kRoot | kMinus, kOne | kMinus, 0}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = c128[3] constant({(0, 0), (3, 0), (0, 0)})
      ROOT r = c128[3] fft(x), fft_type=IFFT, fft_length={3}
    })"),
              (Bits{kOne, 0, 0xbfe0000000000000, 0x3febb67ae8584caa,
                    0xbfe0000000000000, 0xbfebb67ae8584caa}))
        << backend->name();
  }
}

// a / b is that near to sqrt 2 that 192 bits do not tell: a / sqrt 2 - b.
TEST(GpuTransforms, TellASumFromNothing) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = c128[8] constant({(-4217293152016490, 0), (5964153172084899, 0),
                            (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)})
      y = c128[8] fft(x), fft_type=FFT, fft_length={8}
      ROOT r = c128[1] slice(y), slice={[1:2]}
    })")
                  .at(0),
              0x3c911612716a5205)
        << backend->name();
  }
}

// Three waves of four samples have 6 at 3 and 9, and nothing anywhere else; as
// rows of a matrix, 6 at (0, 1) and (0, 3).
TEST(GpuTransforms, FindSumsThatAreNothing) {
  constexpr uint64_t kSix = 0x40c00000;
  for (const auto& backend : backends_here()) {
    Bits wave(14, 0);
    wave[6] = kSix;
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f32[12] constant({1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1, 0})
      ROOT r = c64[7] fft(x), fft_type=RFFT, fft_length={12}
    })"),
              wave)
        << backend->name();
    Bits rows(24, 0);
    rows[2] = rows[6] = kSix;
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = c64[3,4] constant({{(1, 0), (0, 0), (-1, 0), (0, 0)},
                             {(1, 0), (0, 0), (-1, 0), (0, 0)},
                             {(1, 0), (0, 0), (-1, 0), (0, 0)}})
      ROOT r = c64[3,4] fft(x), fft_type=FFT, fft_length={3,4}
    })"),
              rows)
        << backend->name();
  }
}

// The roots of order 5 add up to 0: with 2^24 and four halves the sums are
// 2^24 + 2 and 2^24 - 1/2, which lies between two codes; of five times as much
// the inverse is the same. The last sample is off by 2^-25, and the sums are
// just below 2^24 - 1/2 and just above.
TEST(GpuTransforms, RoundSumsBetweenTwoCodes) {
  constexpr uint64_t kLarge = 0x4b800000;  // 2^24
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f32[5] constant({16777216, 0.5, 0.5, 0.5, 0.5})
      y = c64[3] fft(x), fft_type=RFFT, fft_length={5}
      ROOT r = f32[3] real(y)
    })"),
              (Bits{kLarge + 1, kLarge, kLarge}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = c64[3] constant({(83886080, 0), (2.5, 0), (2.5, 0)})
      ROOT r = f32[5] fft(x), fft_type=IRFFT, fft_length={5}
    })"),
              (Bits{kLarge + 1, kLarge, kLarge, kLarge, kLarge}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f32[5] constant({16777216, 0.5, 0.5, 0.5, 0.49999997})
      y = c64[3] fft(x), fft_type=RFFT, fft_length={5}
      ROOT r = f32[3] real(y)
    })"),
              (Bits{kLarge + 1, kLarge - 1, kLarge}))
        << backend->name();
  }
}

// 2^53 + 1 lies between two codes, and 2^-60 more tells which is next.
TEST(GpuTransforms, RoundWhatIsJustAboveTheMiddle) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(
        bits_of(*backend, R"(ENTRY main {
      x = f64[4] constant({9007199254740992, 1, 8.673617379884035e-19, 0})
      y = c128[3] fft(x), fft_type=RFFT, fft_length={4}
      ROOT r = f64[3] real(y)
    })"),
        (Bits{0x4340000000000001, 0x4340000000000000, 0x433fffffffffffff}))
        << backend->name();
  }
}

// All roots of unity of order 35 add up to nothing.
TEST(GpuTransforms, FindThatRootsAddUpToNothing) {
  for (const auto& backend : backends_here()) {
    Bits sums(36, 0);
    sums[0] = 0x420c0000;
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      o = f32[] constant(1)
      x = f32[35] broadcast(o), dimensions={}
      ROOT y = c64[18] fft(x), fft_type=RFFT, fft_length={35}
    })"),
              sums)
        << backend->name();
  }
}

// Sums of 2^-149 and 2^127, of the least f64 and of the greatest, and of an
// infinity.
TEST(GpuTransforms, TakeNumbersOfAllSizes) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f32[2] constant({1e-45, 1.7014118e38})
      y = c64[2] fft(x), fft_type=RFFT, fft_length={2}
      ROOT r = f32[2] real(y)
    })"),
              (Bits{0x7f000000, 0xff000000}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = c128[3] constant({(5e-324, 0), (5e-324, 0), (5e-324, 0)})
      y = c128[3] fft(x), fft_type=FFT, fft_length={3}
      ROOT r = f64[3] real(y)
    })"),
              (Bits{3, 0, 0}))
        << backend->name();
    EXPECT_EQ(
        bits_of(*backend, R"(ENTRY main {
      x = f64[2,2] constant({{1.7976931348623157e308, 1.7976931348623157e308},
                             {inf, 0}})
      y = c128[2,2] fft(x), fft_type=RFFT, fft_length={2}
      ROOT r = f64[2,2] real(y)
    })"),
        (Bits{0x7ff0000000000000, 0, 0x7ff8000000000000, 0x7ff8000000000000}))
        << backend->name();
  }
}

struct ComplexValue {
  const char* function;
  const char* z;
  uint64_t re;
  uint64_t im;
};

// expm1: with x = y^2 / 2 the real part is -y^4 / 12.
constexpr ComplexValue kValues[] = {
    {"asin", "(0.5, -0.25)", 0x3fe00d2e0286798e, 0xbfd202649ab3008f},
    {"acos", "(0.0009765625, 3)", 0x3ff920b7830e9b60, 0xbffd185b5ca38142},
    {"acosh", "(-2, 1)", 0x3ff78276f9861c4b, 0x400512ea81f64786},
    {"atanh", "(2, -1)", 0x3fd9c041f7ed8d33, 0xbff56c6e7397f5ae},
    {"logistic", "(0, 2)", 0x3fe0000000000000, 0x3fe8eb245cbee3a6},
    {"rsqrt", "(3, 4)", 0x3fd999999999999a, 0xbfc999999999999a},
    {"exponential-minus-one",
     "(1.9362959574246591e-121, 6.223015277861142e-61)", 0x8db5555555555555,
     0x3370000000000000}};

TEST(GpuComplexFunctions, AreRoundedOnceInDoublePrecision) {
  for (const auto& backend : backends_here()) {
    for (const ComplexValue& value : kValues) {
      EXPECT_EQ(bits_of(*backend, std::string("ENTRY main {\n  z = c128[] "
                                              "constant(") +
                                      value.z + ")\n  ROOT r = c128[] " +
                                      value.function + "(z)\n}"),
                (Bits{value.re, value.im}))
          << backend->name() << " " << value.function;
    }
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      y = c128[] constant((1, 2))
      x = c128[] constant((2, -0.25))
      ROOT r = c128[] atan2(y, x)
    })"),
              (Bits{0x3fedfa992206280b, 0x3feb876f36b3496a}))
        << backend->name();
  }
}

}  // namespace
}  // namespace hlo::gpu
