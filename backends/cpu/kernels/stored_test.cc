#include "backends/cpu/kernels/stored.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "backends/cpu/kernels/products/multiply_matrices.h"
#include "backends/cpu/kernels/short_floats.h"
#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/testing/numbers.h"
#include "backends/cpu/kernels/tiles/tile_program.h"

// What is expected is computed from the definition of the formats: a sign, an
// exponent, a fraction; and the nearest of their numbers in double, where a
// number of f32 and the steps of a narrower format are exact.

namespace hlo::cpu {
namespace {

struct Format {
  Stored stored;
  Code round;
  int fraction;   // bits
  int least;      // exponent of a normal number
  double larger;  // than all finite numbers: the next power of two
};

const Format kFormats[] = {
    {Stored::kBf16, Code::kRoundToBf16, 7, -126, 0x1p128},
    {Stored::kF16, Code::kRoundToF16, 10, -14, 0x1p16}};

/// The number that the 16 bits are.
float number_of(const Format& format, uint32_t bits) {
  const uint32_t fraction = bits & ((1U << format.fraction) - 1);
  const uint32_t exponent = (bits & 0x7fffU) >> format.fraction;
  const uint32_t most = 0x7fffU >> format.fraction;
  const float sign = bits >> 15U != 0 ? -1.0F : 1.0F;
  if (exponent == most) return fraction != 0 ? kNan : sign * kInf;
  const uint32_t hidden = exponent == 0 ? 0 : 1U << format.fraction;
  const int power = static_cast<int>(std::max(exponent, 1U)) - 1 + format.least;
  return sign * static_cast<float>(
                    std::ldexp(fraction + hidden, power - format.fraction));
}

/// The nearest number of the format, ties to even.
float nearest(const Format& format, float x) {
  if (!std::isfinite(x) || x == 0) return x;
  const int power = std::max(std::ilogb(x), format.least) - format.fraction;
  const double y =
      std::ldexp(std::nearbyint(std::ldexp(double{x}, -power)), power);
  if (std::abs(y) >= format.larger) return std::copysign(kInf, x);
  return std::copysign(static_cast<float>(y), x);
}

bool same(float x, float y) {
  return std::isnan(x)
             ? std::isnan(y)
             : std::bit_cast<uint32_t>(x) == std::bit_cast<uint32_t>(y);
}

std::vector<uint16_t> all_halves() {
  std::vector<uint16_t> halves(1U << 16U);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = uint16_t(i);
  return halves;
}

const std::byte* bytes(const std::vector<uint16_t>& halves) {
  return reinterpret_cast<const std::byte*>(halves.data());
}

TEST(Stored, ReadsAndWritesEveryNumberAndKeepsItsBits) {
  const std::vector<uint16_t> halves = all_halves();
  const auto count = static_cast<int64_t>(halves.size());
  for (const Format& format : kFormats) {
    on_each_target([&] {
      std::vector<float> lanes(halves.size());
      read_lanes(format.stored, bytes(halves), count, lanes.data());
      for (uint32_t i = 0; i < halves.size(); ++i) {
        ASSERT_TRUE(same(number_of(format, i), lanes[i])) << i;
      }
      std::vector<uint16_t> again(halves.size());
      write_lanes(format.stored, lanes.data(), count,
                  reinterpret_cast<std::byte*>(again.data()));
      EXPECT_EQ(again, halves);
    });
  }
}

TEST(Stored, TouchesNothingBehindTheLastElement) {
  const std::vector<uint16_t> halves(80, 0x3f80);
  for (int64_t n = 0; n <= 70; ++n) {
    on_each_target([&] {
      std::vector<float> lanes(80, -7.0F);
      read_lanes(Stored::kBf16, bytes(halves), n, lanes.data());
      std::vector<uint16_t> to(80, 9);
      write_lanes(Stored::kBf16, lanes.data(), n,
                  reinterpret_cast<std::byte*>(to.data()));
      for (int64_t i = 0; i < 80; ++i) {
        ASSERT_EQ(lanes[static_cast<size_t>(i)], i < n ? 1.0F : -7.0F);
        ASSERT_EQ(to[static_cast<size_t>(i)], i < n ? 0x3f80 : 9);
      }
    });
  }
}

TEST(Stored, PredIsAWord) {
  const std::vector<uint8_t> preds = {1, 0, 0, 1, 1};
  on_each_target([&] {
    std::vector<float> lanes(5);
    read_lanes(Stored::kPred, reinterpret_cast<const std::byte*>(preds.data()),
               5, lanes.data());
    std::vector<uint8_t> again(5);
    write_lanes(Stored::kPred, lanes.data(), 5,
                reinterpret_cast<std::byte*>(again.data()));
    EXPECT_EQ(again, preds);
    EXPECT_EQ(std::bit_cast<uint32_t>(lanes[0]), 1U);
  });
}

/// What the operation makes of numbers of s32, stored as such integers.
template <class T>
std::vector<T> fitted(Code code, Stored stored, const std::vector<int32_t>& x) {
  TileProgram program;
  program.count = std::ssize(x);
  program.inputs = {{View::dense({program.count})}};
  program.ops = {{code, 1, {0}}};
  program.registers = 2;
  program.result = stored;
  const std::byte* const input = reinterpret_cast<const std::byte*>(x.data());
  std::vector<T> result(x.size());
  run_tiles(program, {&input, 1}, reinterpret_cast<std::byte*>(result.data()));
  return result;
}

template <class T>
void expect_short_integers(Stored stored, Code wrap, Code saturate) {
  using Ends = std::numeric_limits<T>;
  std::vector<int32_t> x = {INT32_MIN, INT32_MAX, 1 << 16, -(1 << 16)};
  for (int32_t i = -70000; i <= 70000; ++i) x.push_back(i);
  everywhere([&] {
    const std::vector<T> wrapped = fitted<T>(wrap, stored, x);
    const std::vector<T> nearest = fitted<T>(saturate, stored, x);
    std::vector<float> lanes(x.size());
    read_lanes(stored, reinterpret_cast<const std::byte*>(wrapped.data()),
               std::ssize(x), lanes.data());
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(wrapped[i], static_cast<T>(x[i])) << x[i];
      ASSERT_EQ(nearest[i], std::clamp<int32_t>(x[i], Ends::min(), Ends::max()))
          << x[i];
      ASSERT_EQ(std::bit_cast<int32_t>(lanes[i]), static_cast<T>(x[i])) << x[i];
    }
  });
}

TEST(Stored, ShortIntegersWrapOrSaturate) {
  expect_short_integers<int8_t>(Stored::kS8, Code::kWrapS8, Code::kSaturateS8);
  expect_short_integers<uint8_t>(Stored::kU8, Code::kWrapU8, Code::kSaturateU8);
  expect_short_integers<int16_t>(Stored::kS16, Code::kWrapS16,
                                 Code::kSaturateS16);
  expect_short_integers<uint16_t>(Stored::kU16, Code::kWrapU16,
                                  Code::kSaturateU16);
}

/// Numbers around each number of the format and each tie between two, and any.
std::vector<float> near_numbers(const Format& format) {
  std::vector<float> numbers = {kNan, kInf, -kInf, 0.0F, -0.0F, 0x1p-149F};
  for (uint32_t i = 0; i < 1U << 16U; i += 7) {
    const auto add = [&](uint32_t bits) {
      for (const uint32_t near : {bits - 1, bits, bits + 1}) {
        numbers.push_back(std::bit_cast<float>(near));
      }
    };
    const auto own = std::bit_cast<uint32_t>(number_of(format, i));
    add(own);
    add(own + (1U << (22U - static_cast<uint32_t>(format.fraction))));
  }
  std::mt19937 engine(1);
  for (int i = 0; i < 20000; ++i) {
    numbers.push_back(std::bit_cast<float>(static_cast<uint32_t>(engine())));
  }
  return numbers;
}

/// Those numbers rounded, as the narrow array that a pass writes.
std::vector<uint16_t> rounded(const Format& format,
                              const std::vector<float>& x) {
  TileProgram program;
  program.count = static_cast<int64_t>(x.size());
  program.inputs = {{View::dense({program.count})}};
  program.ops = {{format.round, 1, {0}}};
  program.registers = 2;
  program.result = format.stored;
  const std::byte* const input = reinterpret_cast<const std::byte*>(x.data());
  std::vector<uint16_t> result(x.size());
  run_tiles(program, {&input, 1}, reinterpret_cast<std::byte*>(result.data()));
  return result;
}

TEST(Stored, RoundsToNearestEven) {
  for (const Format& format : kFormats) {
    const std::vector<float> x = near_numbers(format);
    everywhere([&] {
      const std::vector<uint16_t> y = rounded(format, x);
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_TRUE(same(nearest(format, x[i]), number_of(format, y[i])))
            << x[i] << " gives " << y[i];
      }
    });
  }
}

// What an f16 has room for is the first ten bits.
TEST(Stored, KeepsSignsAndFirstBitsOfNansOfF16) {
  std::vector<float> nans;
  std::vector<uint16_t> expected;
  for (const uint32_t bits : {0x7fc00000U, 0xffc00000U, 0x7f800001U,
                              0xff802001U, 0x7fd54fffU, 0xffffffffU}) {
    nans.push_back(std::bit_cast<float>(bits));
    expected.push_back(static_cast<uint16_t>((bits >> 16U & 0x8000U) | 0x7e00U |
                                             (bits >> 13U & 0x3ffU)));
  }
  everywhere([&] { EXPECT_EQ(rounded(kFormats[1], nans), expected); });
}

template <typename T>
void expect_short_floats(const Format& format) {
  for (uint32_t i = 0; i < 1U << 16U; ++i) {
    T number;
    number.bits = static_cast<uint16_t>(i);
    const auto wide = static_cast<float>(number);
    ASSERT_TRUE(same(number_of(format, i), wide)) << i;
    // A signaling NaN becomes quiet.
    if (std::isnan(wide)) continue;
    ASSERT_EQ(T(wide).bits, i);
  }
  for (const float x : near_numbers(format)) {
    ASSERT_TRUE(same(nearest(format, x), static_cast<float>(T(x))))
        << x << " gives " << T(x).bits;
  }
}

TEST(ShortFloats, AreTheNumbersOfTheirFormats) {
  expect_short_floats<Bf16>(kFormats[0]);
  expect_short_floats<F16>(kFormats[1]);
}

TEST(Stored, ProductsReadNarrowMatricesInAnyOrder) {
  constexpr int64_t kRows = 20;
  constexpr int64_t kDepth = 300;
  constexpr int64_t kColumns = 50;
  for (const Format& format : kFormats) {
    const uint32_t one = format.stored == Stored::kBf16 ? 0x3f80 : 0x3c00;
    std::vector<uint16_t> x, y;
    for (int64_t i = 0; i < kRows * kDepth; ++i) {
      x.push_back(uint16_t(one + static_cast<uint32_t>(i * 7 % 200)));
    }
    for (int64_t i = 0; i < kDepth * kColumns; ++i) {
      y.push_back(uint16_t(one - static_cast<uint32_t>(i * 11 % 300)));
    }
    const auto of = [&](const std::vector<uint16_t>& halves, int64_t i) {
      return number_of(format, halves[static_cast<size_t>(i)]);
    };
    for (const bool turned : {false, true}) {
      everywhere([&] {
        std::vector<float> sums(kRows * kColumns);
        multiply_matrices(left_matrix({x.data(), turned ? 1 : kDepth,
                                       turned ? kRows : 1, format.stored},
                                      kRows, kDepth),
                          {y.data(), turned ? 1 : kColumns, turned ? kDepth : 1,
                           format.stored},
                          kColumns, sums.data(), kColumns);
        for (int64_t m = 0; m < kRows; ++m) {
          for (int64_t n = 0; n < kColumns; ++n) {
            float sum = 0;
            for (int64_t k = 0; k < kDepth; ++k) {
              sum = std::fma(of(x, turned ? k * kRows + m : m * kDepth + k),
                             of(y, turned ? n * kDepth + k : k * kColumns + n),
                             sum);
            }
            ASSERT_EQ(sums[static_cast<size_t>(m * kColumns + n)], sum);
          }
        }
      });
    }
  }
}

}  // namespace
}  // namespace hlo::cpu
