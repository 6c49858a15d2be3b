#include "interpreter/plans/fourier/fourier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/fourier/fourier_radix.h"
#include "interpreter/plans/fourier/fourier_residues.h"
#include "interpreter/plans/fourier/fourier_series.h"

namespace hlo {
namespace {

using numeric::FloatFormat;

const FloatFormat& f32() { return numeric::format(ElementType::kF32); }

const FloatFormat& f64() { return numeric::format(ElementType::kF64); }

int64_t count(const std::vector<int64_t>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), int64_t{1},
                         std::multiplies{});
}

/// Numbers of magnitudes from 2^-range to 1.
FourierInput random_input(const std::vector<int64_t>& lengths, int range) {
  std::mt19937_64 engine(static_cast<uint64_t>(count(lengths)));
  FourierInput input{lengths, {}, {}};
  const auto draw = [&] {
    const auto bits = static_cast<int64_t>(engine() >> 40) - 0x800000;
    const auto exponent =
        static_cast<int>(engine() % (static_cast<uint64_t>(range) + 1));
    return std::ldexp(static_cast<double>(bits), -23 - exponent);
  };
  for (int64_t i = 0; i < count(lengths); ++i) {
    input.real.push_back(draw());
    input.imaginary.push_back(draw());
  }
  return input;
}

/// Compares one sum of every `step`.
void expect_direct_sums(const FourierInput& input, const FloatFormat& format,
                        size_t step = 1) {
  FourierResidues residues(input);
  const FourierCodes codes = fourier_transform(input, false, format);
  for (size_t j = 0; j < codes.real.size(); j += step) {
    const auto sum = [&](bool imaginary) {
      return round_series(input, static_cast<int64_t>(j), imaginary, 1, format,
                          residues);
    };
    EXPECT_EQ(codes.real[j], sum(false));
    EXPECT_EQ(codes.imaginary[j], sum(true));
  }
}

numeric::Real& set_number(numeric::Real& real, double value) {
  numeric::set(real, value);
  return real;
}

TEST(Radices, MultiplyUpToTheLength) {
  for (int64_t n = 1; n <= 2000; ++n) {
    EXPECT_EQ(count(radices(n)), n);
  }
  EXPECT_EQ(radices(776), (std::vector<int64_t>{4, 2, 97}));
}

// MPFR's sums share no code with those in pairs of doubles.
TEST(FourierTransform, IsTheDirectSumRoundedOnce) {
  for (const std::vector<int64_t>& lengths : std::vector<std::vector<int64_t>>{
           {1}, {2}, {3}, {4}, {7}, {8}, {20}, {27}, {64}, {3, 4}, {2, 3, 5}}) {
    for (const int range : {0, 60}) {
      const FourierInput input = random_input(lengths, range);
      expect_direct_sums(input, f32());
      expect_direct_sums(input, f64());
    }
  }
}

TEST(Radices, PowersOfARootAreAllNumbersBelowThePrime) {
  for (const int64_t prime : {131, 257, 16411, 65537}) {
    std::vector<int64_t> powers = powers_of_root(prime);
    EXPECT_EQ(powers[0], 1);
    std::ranges::sort(powers);
    std::vector<int64_t> all(static_cast<size_t>(prime - 1));
    std::iota(all.begin(), all.end(), 1);
    EXPECT_EQ(powers, all);
  }
  EXPECT_EQ(convolution_length(257), 256);
  EXPECT_EQ(convolution_length(131), 512);
}

// 127 is the last prime whose sums are found one by one, 19043 is 137 times
// 139; 256 is a power of two already, and all other convolutions have zeros
// besides.
TEST(FourierTransform, IsTheDirectSumForLargePrimesToo) {
  struct Case {
    std::vector<int64_t> lengths;
    size_t step;
  };

  for (const auto& [lengths, step] : std::vector<Case>{{{127}, 9},
                                                       {{131}, 5},
                                                       {{257}, 31},
                                                       {{262}, 29},
                                                       {{19043}, 4001},
                                                       {{3, 149}, 37},
                                                       {{131, 2}, 29},
                                                       {{4099}, 911}}) {
    const FourierInput input = random_input(lengths, 30);
    expect_direct_sums(input, f32(), step);
    expect_direct_sums(input, f64(), step);
  }
}

TEST(FourierTransform, FindsExactZeros) {
  for (const std::vector<int64_t>& lengths :
       std::vector<std::vector<int64_t>>{{5},
                                         {12},
                                         {31},
                                         {512},
                                         {1000},
                                         {16, 9},
                                         {4, 5, 6},
                                         {131},
                                         {514},
                                         {3, 137}}) {
    const auto size = static_cast<size_t>(count(lengths));
    const FourierInput input{lengths, std::vector<double>(size, 0.1),
                             std::vector<double>(size, 1e-30)};
    const FourierCodes codes = fourier_transform(input, false, f64());
    for (size_t j = 1; j < size; ++j) {
      EXPECT_EQ(codes.real[j], 0U);
      EXPECT_EQ(codes.imaginary[j], 0U);
    }
  }
}

// Input j is exp(2 pi i j t / n) rounded, so that all but one sum are small
// and none is zero.
TEST(FourierTransform, TellsSmallSumsFromZeros) {
  const int64_t n = 48;
  FourierInput input{{n}, {}, {}};
  for (int64_t t = 0; t < n; ++t) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(5 * t) / n;
    input.real.push_back(std::cos(angle));
    input.imaginary.push_back(std::sin(angle));
  }
  FourierResidues residues(input);
  const FourierCodes codes = fourier_transform(input, false, f64());
  for (int64_t j = 0; j < n; ++j) {
    EXPECT_EQ(codes.real[static_cast<size_t>(j)],
              round_series(input, j, false, 1, f64(), residues));
  }
}

// The sum of a number and its opposite at places that are no neighbours is
// zero at 0 alone, and what is added at 0 is the sum everywhere else.
TEST(FourierTransform, RoundsTiesOfLargePrimes) {
  const size_t n = 257;
  FourierInput input{{static_cast<int64_t>(n)},
                     std::vector<double>(n),
                     std::vector<double>(n)};
  input.real[0] = 1 + 0x1p-24;  // half way between numbers of f32
  FourierCodes codes = fourier_transform(input, false, f32());
  EXPECT_EQ(codes.real, std::vector<uint64_t>(n, numeric::encode(1, f32())));
  EXPECT_EQ(codes.imaginary, std::vector<uint64_t>(n, 0));
  input.real[7] = 1;
  input.real[11] = -1;
  codes = fourier_transform(input, false, f32());
  EXPECT_EQ(codes.real[0], numeric::encode(1, f32()));
  EXPECT_NE(codes.imaginary[1], 0U);
}

TEST(FourierTransform, RoundsTiesToEven) {
  const double half = 0x1p-24;  // half a step of 1 in f32
  const FourierInput input{{2}, {1, half}, {1 + 0x1p-23, half}};
  const FourierCodes codes = fourier_transform(input, false, f32());
  EXPECT_EQ(codes.real[0], numeric::encode(1, f32()));
  EXPECT_EQ(codes.imaginary[0], numeric::encode(1 + 0x1p-22, f32()));
}

TEST(FourierTransform, KeepsItsRange) {
  const double max = 0x1.fffffffffffffp1023;
  const double least = 0x1p-1074;
  const FourierInput large{{4}, {max, max, max, max}, {0, 0, 0, 0}};
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(fourier_transform(large, false, f64()).real[0],
            numeric::encode(infinity, f64()));
  EXPECT_EQ(fourier_transform(large, true, f64()).real[0],
            numeric::encode(max, f64()));
  const FourierInput mixed{{2}, {max, least}, {0, 0}};
  EXPECT_EQ(fourier_transform(mixed, false, f64()).real[1],
            numeric::encode(max, f64()));
  const FourierInput small{{3}, {least, least, least}, {0, 0, 0}};
  EXPECT_EQ(fourier_transform(small, true, f64()).real[0], 1U);
  EXPECT_EQ(fourier_transform(small, true, f64()).real[1], 0U);
}

TEST(FourierResidues, DecideEquality) {
  const FourierInput input{
      {12}, std::vector<double>(12, 0.1), std::vector<double>(12, -3)};
  FourierResidues residues(input);
  numeric::Real number(64);
  EXPECT_TRUE(residues.is_exactly(1, false, set_number(number, 0)));
  EXPECT_FALSE(residues.is_exactly(0, false, set_number(number, 0)));
  EXPECT_FALSE(residues.is_exactly(0, false, set_number(number, 1.2)));
  mpfr_set_d(number.get(), 0.1, MPFR_RNDN);
  mpfr_mul_ui(number.get(), number.get(), 12, MPFR_RNDN);
  EXPECT_TRUE(residues.is_exactly(0, false, number));
  EXPECT_TRUE(residues.is_exactly(0, true, set_number(number, -36)));
  EXPECT_FALSE(residues.is_exactly(0, true, set_number(number, 36)));
  // sqrt(3) is in the field, and no number of it.
  const FourierInput roots{
      {12}, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, std::vector<double>(12, 0)};
  FourierResidues irrational(roots);
  const double half_root = std::sqrt(0.75);
  EXPECT_FALSE(irrational.is_exactly(1, false, set_number(number, half_root)));
  EXPECT_TRUE(irrational.is_exactly(2, false, set_number(number, 0.5)));
  EXPECT_TRUE(irrational.is_exactly(3, true, set_number(number, -1)));
}

// Sums of 2^-1030 times the numbers are 2^-1030 times the sums, to the last bit
// where they are normal numbers; the digits of their factors are not.
TEST(FourierTransform, OfSmallNumbersIsThatOfLargeOnesScaled) {
  constexpr int kScale = -1030;
  FourierInput large{{360}, {}, {}};
  std::mt19937_64 engine(11);
  for (int i = 0; i < 360; ++i) {
    large.real.push_back(static_cast<double>(engine() % 1024) - 512);
    large.imaginary.push_back(static_cast<double>(engine() % 1024) - 512);
  }
  FourierInput small = large;
  for (auto* numbers : {&small.real, &small.imaginary}) {
    for (double& x : *numbers) x = std::ldexp(x, kScale);
  }
  const FourierCodes wanted = fourier_transform(large, false, f64());
  const FourierCodes found = fourier_transform(small, false, f64());
  int compared = 0;
  for (size_t j = 0; j < wanted.real.size(); ++j) {
    const double sum = numeric::decode(wanted.real[j], f64());
    if (std::fabs(sum) < 0x1p10) continue;
    EXPECT_EQ(numeric::decode(found.real[j], f64()), std::ldexp(sum, kScale));
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace hlo
