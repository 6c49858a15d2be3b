#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "backends/cpu/kernels/lanes/run_ops.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/testing/computed.h"
#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/testing/numbers.h"
#include "backends/cpu/kernels/tiles/tile_program.h"

// Functions are compared with those of long double, views with their formula.

namespace hlo::cpu {
namespace {

/// Bit patterns over all exponents, of both signs, and special values.
Numbers all_kinds() {
  Numbers numbers = {0.0F, -0.0F, kInf, -kInf, kNan, 0x1p-149F, -0x1p-149F};
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 40009) {
    numbers.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  std::mt19937 engine(1);
  std::uniform_real_distribution<float> middle(-104, 104);
  for (int i = 0; i < 20000; ++i) numbers.push_back(middle(engine));
  return numbers;
}

struct FunctionFact {
  Code code;
  long double (*exact)(long double);
  double most;  // units in the last place of the error
};

// Those in f32 as a sweep of all operands finds them, those in f64 rounded
// once.
constexpr FunctionFact kInF32[] = {
    {Code::kExponentialF32, [](long double x) { return std::exp(x); }, 0.78},
    {Code::kExponentialMinusOneF32, [](long double x) { return std::expm1(x); },
     0.89},
    {Code::kLogF32, [](long double x) { return std::log(x); }, 0.64},
    {Code::kLogPlusOneF32, [](long double x) { return std::log1p(x); }, 0.66},
    {Code::kErfF32, [](long double x) { return std::erf(x); }, 0.99},
    {Code::kTanhF32, [](long double x) { return std::tanh(x); }, 0.77},
    {Code::kLogisticF32, [](long double x) { return 1 / (1 + std::exp(-x)); },
     0.79},
};
constexpr FunctionFact kInF64[] = {
    {Code::kSineF32, [](long double x) { return std::sin(x); }, 0.5001},
    {Code::kCosineF32, [](long double x) { return std::cos(x); }, 0.5001},
    {Code::kRsqrtF32, [](long double x) { return 1 / std::sqrt(x); }, 0.5001},
    {Code::kSqrtF32, [](long double x) { return std::sqrt(x); }, 0.5001},
};

/// The distance of y from the exact value in units in its last place.
long double units(float y, long double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::abs(y - exact) / std::ldexp(1.0L, std::max(exponent - 24, -149));
}

void expect_near(const FunctionFact& fact, float x, float y) {
  const long double exact = fact.exact(x);
  const auto near = static_cast<float>(exact);
  ASSERT_EQ(std::isnan(near), std::isnan(y)) << x << " gives " << y;
  ASSERT_EQ(std::isinf(near), std::isinf(y)) << x << " gives " << y;
  if (std::isnan(near)) return;
  ASSERT_EQ(std::signbit(near), std::signbit(y)) << x << " gives " << y;
  if (std::isinf(near)) return;
  ASSERT_LE(units(y, exact), fact.most) << x << " gives " << y;
}

/// Where functions in f32 were once less exact, or nearly are: powers of two
/// beside 1, logarithms beside roots of 2, and what is near the ends.
Numbers hard() {
  Numbers numbers;
  for (const float center :
       {8.14448F, 8.66434F, 17.079502F, 0.125651F, 0.35573766F, 16.6355F,
        17.3287F, -87.69508F, 87.33F, 88.72F, -103.97F, 0.7071068F, 1.4142135F,
        -0.29289323F, 0.41421357F, 1.0F, -0.9999999F, 10.0F, 9.01F}) {
    float number = center - std::abs(center) * 0x1p-14F;
    for (int i = 0; i < 1000; ++i) {
      numbers.push_back(number);
      numbers.push_back(-number);
      number = std::nextafter(number, kInf);
    }
  }
  return numbers;
}

TEST(RunTiles, FunctionsAreAsNearAsTold) {
  Numbers x = all_kinds();
  const Numbers more = hard();
  x.insert(x.end(), more.begin(), more.end());
  const auto check = [&](const FunctionFact& fact) {
    on_each_target([&] {
      const Numbers y = computed<float>(fact.code, x);
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_NO_FATAL_FAILURE(expect_near(fact, x[i], y[i]));
      }
    });
  };
  std::ranges::for_each(kInF32, check);
  std::ranges::for_each(kInF64, check);
}

TEST(RunTiles, FunctionsInF32AreTheSameOnEachInstructionSet) {
  // Numbers that take another way are alone among others at last.
  Numbers x = all_kinds();
  for (int i = 0; i < 64; ++i) {
    const float number = 86 + static_cast<float>(i) / 16;
    x.insert(x.end(), {number, 1, 1, 1, -number, 1, 1, 1, 1});
  }
  const Numbers usual = hard();
  for (size_t i = 0; i < usual.size(); ++i) {
    x.push_back(usual[i]);
    if (i % 20 == 0) x.push_back(i % 40 == 0 ? 100.0F : -100.0F);
  }
  for (const FunctionFact& fact : kInF32) {
    const Numbers expected = computed<float>(fact.code, x);
    everywhere([&] {
      const Numbers y = computed<float>(fact.code, x);
      EXPECT_EQ(std::memcmp(y.data(), expected.data(), 4 * y.size()), 0);
    });
  }
}

TEST(RunTiles, PowersAreWithinOneUlp) {
  Numbers x;
  Numbers y;
  const Numbers ends = {0.0F,    -0.0F,   1.0F, -1.0F, 0.5F,      -0.5F,
                        2.0F,    -2.0F,   3.0F, -3.0F, 0x1p-149F, -0x1p127F,
                        0x1p24F, 0x1p25F, kInf, -kInf, kNan};
  for (const float base : ends) {
    for (const float exponent : ends) {
      x.push_back(base);
      y.push_back(exponent);
    }
  }
  std::mt19937 engine(1);
  std::uniform_real_distribution<float> logs(-90, 90);
  std::uniform_real_distribution<float> exponents(-3, 3);
  for (int i = 0; i < 20000; ++i) {
    x.push_back(std::exp(logs(engine)));
    y.push_back(exponents(engine));
  }
  everywhere([&] {
    const Numbers powers = computed<float>(Code::kPowerF32, x, y);
    for (size_t i = 0; i < x.size(); ++i) {
      const auto near =
          static_cast<float>(std::pow(static_cast<long double>(x[i]), y[i]));
      ASSERT_TRUE(std::isnan(near)
                      ? std::isnan(powers[i])
                      : powers[i] >= std::nextafter(near, -kInf) &&
                            powers[i] <= std::nextafter(near, kInf))
          << x[i] << "^" << y[i] << " gives " << powers[i];
      ASSERT_TRUE(near != 0 || std::signbit(near) == std::signbit(powers[i]));
      ASSERT_TRUE(std::isinf(near) == std::isinf(powers[i]));
    }
  });
}

TEST(RunTiles, OrdersZerosAndKeepsNan) {
  const Numbers x = {0.0F, -0.0F, kNan, 1.0F, -kInf};
  const Numbers y = {-0.0F, 0.0F, 1.0F, kNan, kInf};
  everywhere([&] {
    const Numbers larger = computed<float>(Code::kMaximumF32, x, y);
    const Numbers smaller = computed<float>(Code::kMinimumF32, x, y);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_FALSE(std::signbit(larger[i]));
      EXPECT_TRUE(std::signbit(smaller[i]));
      EXPECT_TRUE(std::isnan(larger[i + 2]) && std::isnan(smaller[i + 2]));
    }
    EXPECT_EQ(larger[4], kInf);
    EXPECT_EQ(smaller[4], -kInf);
  });
}

int32_t converted(float x) {
  return std::bit_cast<int32_t>(
      computed<float>(Code::kF32ToS32, Numbers{x})[0]);
}

TEST(RunTiles, ConvertsBeyondTheRangeToItsEnds) {
  everywhere([&] {
    EXPECT_EQ(converted(-1.9F), -1);
    EXPECT_EQ(converted(0x1p31F), INT32_MAX);
    EXPECT_EQ(converted(-0x1p31F), INT32_MIN);
    EXPECT_EQ(converted(-kInf), INT32_MIN);
    EXPECT_EQ(converted(kNan), 0);
    EXPECT_EQ(converted(0x1.fffffep30F), 2147483520);
  });
}

TEST(RunTiles, ReadsViewsOfSeveralTilesAndPeriods) {
  // A row of 24, a column, a scalar and a whole array, over 3000 * 24 elements.
  const int64_t rows = 3000;
  const int64_t columns = 24;
  const Numbers whole = random_numbers(rows * columns);
  const Numbers row = random_numbers(columns);
  const Numbers column = random_numbers(rows);
  const Numbers scalar = {3.0F};
  TileProgram program;
  program.inputs = {{View{{rows * columns}, {1}, 0}},
                    {View{{rows, columns}, {0, 1}, 0}},
                    {View{{rows, columns}, {1, 0}, 0}},
                    {View{{rows * columns}, {0}, 0}}};
  program.ops = {{Code::kMultiplyF32, 4, {0, 1}},
                 {Code::kAddF32, 4, {4, 2}},
                 {Code::kAddF32, 5, {4, 3}}};
  program.registers = 6;
  program.count = rows * columns;
  everywhere([&] {
    Numbers result = whole;  // in place
    const Numbers* const all[] = {&result, &row, &column, &scalar};
    std::vector<const std::byte*> inputs;
    for (const Numbers* one : all) {
      inputs.push_back(reinterpret_cast<const std::byte*>(one->data()));
    }
    run_tiles(program, inputs, reinterpret_cast<std::byte*>(result.data()));
    for (size_t i = 0; i < result.size(); ++i) {
      ASSERT_EQ(result[i], whole[i] * row[i % 24] + column[i / 24] + 3.0F);
    }
  });
}

/// Long enough to be written past the caches, with a tail.
TEST(RunTiles, WritesLargeArraysAsOthers) {
  constexpr int64_t kCount = (int64_t{4} << 20) + 37;
  Numbers x(kCount);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1021);
  TileProgram program;
  program.count = kCount;
  program.inputs = {{View::dense({kCount})}};
  program.ops = {{Code::kAddF32, 1, {0, 0}}, {Code::kSubtractF32, 2, {1, 0}}};
  program.registers = 3;
  for (const int64_t offset : {0, 1}) {
    everywhere([&] {
      const AlignedBytes bytes = aligned_bytes(4 * (kCount + 1));
      float* const to = reinterpret_cast<float*>(bytes.get()) + offset;
      const std::byte* const from[] = {
          reinterpret_cast<const std::byte*>(x.data())};
      run_tiles(program, from, reinterpret_cast<std::byte*>(to));
      EXPECT_EQ(std::memcmp(to, x.data(), 4 * x.size()), 0);
      // In its own place.
      run_tiles(program, {{reinterpret_cast<const std::byte*>(to)}},
                reinterpret_cast<std::byte*>(to));
      EXPECT_EQ(std::memcmp(to, x.data(), 4 * x.size()), 0);
    });
  }
}

/// The operation on as many lanes of three operands; of one operand the number
/// is the same in all lanes, which may be told by a mask.
Numbers with_one_number(Code code, size_t operand, size_t mask) {
  constexpr size_t kLanes = 48;
  Numbers lanes[4];
  std::vector<Register> registers;
  for (size_t r = 0; r < std::size(lanes); ++r) {
    lanes[r] = random_numbers(static_cast<int64_t>(kLanes + 16 * r));
    // Small integers and truths are numbers of all types.
    for (size_t i = 0; i < kLanes && code >= Code::kAddS32; ++i) {
      lanes[r][i] = std::bit_cast<float>(static_cast<int32_t>((i + r) % 2));
    }
    if (r == operand) lanes[r].assign(kLanes, lanes[r][5]);
    registers.push_back({reinterpret_cast<std::byte*>(lanes[r].data()),
                         r == operand ? mask : SIZE_MAX});
  }
  if (mask == 0)
    std::fill(lanes[operand].begin() + 16, lanes[operand].end(), kNan);
  const LaneOp op{code, 3, {0, 1, 2}};
  run_ops({&op, 1}, registers.data(), kLanes);
  return lanes[3];
}

TEST(RunOps, TakeOneVectorForAllLanes) {
  on_each_target([] {
    for (auto code = uint8_t{0};
         code < uint8_t{static_cast<uint8_t>(Code::kAddF64)}; ++code) {
      for (size_t operand = 0; operand < 3; ++operand) {
        const Numbers all = with_one_number(Code{code}, operand, SIZE_MAX);
        const Numbers one = with_one_number(Code{code}, operand, 0);
        EXPECT_EQ(std::memcmp(one.data(), all.data(), all.size() * 4), 0)
            << int{code} << " of operand " << operand;
      }
    }
  });
}

}  // namespace
}  // namespace hlo::cpu
