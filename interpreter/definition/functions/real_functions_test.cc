#include "interpreter/definition/functions/real_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::definition {
namespace {

using enum ElementType;
using numeric::FloatFormat;
using numeric::format;

constexpr int kCodes = 2'000;
constexpr int kWholeOrders = 100;

template <typename F>
std::vector<F> all_functions(F last) {
  std::vector<F> functions;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    functions.push_back(static_cast<F>(i));
  }
  return functions;
}

class Random {
 public:
  uint64_t next() {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return state_ >> 11 ^ state_ << 32;
  }

 private:
  uint64_t state_ = 99;
};

// Zeros, subnormals, the largest, infinities, NaNs, small numbers and halves.
std::vector<uint64_t> special_codes(const FloatFormat& f) {
  std::vector<uint64_t> codes = {0,
                                 1,
                                 2,
                                 f.max_finite() - 1,
                                 f.max_finite(),
                                 f.infinity(),
                                 f.infinity() + 1,
                                 f.quiet_nan()};
  const uint64_t normal = uint64_t{1} << f.mantissa_bits;
  codes.insert(codes.end(), {normal - 1, normal, normal + 1});
  for (int i = 1; i <= 14; ++i) {
    const uint64_t half = encode(i / 2.0, f.type);
    codes.insert(codes.end(), {half, half + 1, half - 1});
  }
  const size_t n = codes.size();
  for (size_t i = 0; i < n; ++i) codes.push_back(codes[i] | f.sign_mask());
  return codes;
}

// Half of them anything, half with an exponent where functions vary.
uint64_t random_code(const FloatFormat& f, Random& random) {
  const uint64_t code = random.next() & (f.sign_mask() * 2 - 1);
  const uint64_t fraction = (uint64_t{1} << f.mantissa_bits) - 1;
  if (random.next() % 2 == 0) return code;
  const auto field = static_cast<uint64_t>(f.bias - 6) + random.next() % 13;
  return (code & (f.sign_mask() | fraction)) | field << f.mantissa_bits;
}

std::vector<uint64_t> some_codes(const FloatFormat& f, int count) {
  std::vector<uint64_t> codes = special_codes(f);
  Random random;
  for (int i = 0; i < count; ++i) codes.push_back(random_code(f, random));
  return codes;
}

int side_of(const Real& exact, uint64_t code, ElementType type) {
  const Real rounded = decode(code, type);
  if (isnan(rounded) || isnan(exact)) return 0;
  return exact < rounded ? -1 : (exact > rounded ? 1 : 0);
}

void check(Function function, uint64_t code, const FloatFormat& f) {
  const Real x = decode(code, f.type);
  const Real exact = rounded_to_odd(function, x);
  const uint64_t actual = encode(isnan(x) ? x : exact, f.type);
  const auto [bits, side] = numeric::round_function(function, code, f);
  ASSERT_EQ(actual, bits) << static_cast<int>(function) << " " << name(f.type)
                          << " " << numeric::decode(code, f);
  ASSERT_EQ(side_of(exact, actual, f.type), side)
      << static_cast<int>(function) << " " << name(f.type) << " "
      << numeric::decode(code, f);
}

void check2(Function2 function, uint64_t x, uint64_t y, const FloatFormat& f) {
  const uint64_t expected = numeric::round_function2(function, x, y, f).bits;
  ASSERT_EQ(round_function2(function, x, y, f.type), expected)
      << static_cast<int>(function) << " " << name(f.type) << " "
      << numeric::decode(x, f) << " " << numeric::decode(y, f);
}

TEST(RealFunctions, AllCodesOfNarrowFormats) {
  for (const TypeInfo& row : all_types()) {
    if (row.type_class != TypeClass::kFloat || row.bits > 8) continue;
    const FloatFormat& f = format(row.type);
    for (const Function function : all_functions(numeric::kLastFunction)) {
      for (uint64_t x = 0; x >> f.width() == 0; ++x) check(function, x, f);
    }
  }
}

TEST(RealFunctions, CodesOfWideFormats) {
  for (const ElementType type : {kF16, kBF16, kF32, kF64}) {
    const FloatFormat& f = format(type);
    const std::vector<uint64_t> codes = some_codes(f, kCodes);
    for (const Function function : all_functions(numeric::kLastFunction)) {
      for (const uint64_t x : codes) check(function, x, f);
    }
  }
}

TEST(RealFunctions, KeepsTheSignOfNan) {
  EXPECT_EQ(round_function(Function::kSine, 0xff, kF8E5M2), 0xfe);
  EXPECT_EQ(round_function(Function::kLog, 0xbc, kF8E5M2), 0x7e);
  EXPECT_EQ(round_function(Function::kExponential, 0, kF8E5M2), 0x3c);
}

bool is_costly(Function2 function) {
  return function == Function2::kPolygamma || function == Function2::kZeta;
}

TEST(RealFunctions, PairsOfNarrowCodes) {
  const FloatFormat& f = format(kF8E5M2);
  for (const Function2 function : all_functions(numeric::kLastFunction2)) {
    for (uint64_t x = 0; x < 256; x += 4) {
      for (uint64_t y = x / 4 % 4; y < 256; y += 4) check2(function, x, y, f);
    }
  }
}

TEST(RealFunctions, SpecialPairs) {
  for (const ElementType type : {kF16, kF64}) {
    const FloatFormat& f = format(type);
    const std::vector<uint64_t> codes = special_codes(f);
    for (const Function2 function : all_functions(numeric::kLastFunction2)) {
      const size_t step = is_costly(function) ? 7 : 1;
      for (size_t x = 0; x < codes.size(); ++x) {
        for (size_t y = x % step; y < codes.size(); y += step) {
          check2(function, codes[x], codes[y], f);
        }
      }
    }
  }
}

TEST(RealFunctions, RandomPairs) {
  for (const ElementType type : {kF32, kF64}) {
    const FloatFormat& f = format(type);
    for (const Function2 function : all_functions(numeric::kLastFunction2)) {
      Random random;
      for (int i = 0; i < kCodes; ++i) {
        const uint64_t x = random_code(f, random);
        check2(function, x, random_code(f, random), f);
      }
    }
  }
}

// Orders and exponents that are whole numbers, the only ones for which these
// functions are more than NaN everywhere.
// pi^2 / 6 = 1.644934066848226436472415166646... is both.
TEST(RealFunctions, ZetaOfTwo) {
  const uint64_t one = encode(1, kF64);
  const uint64_t two = encode(2, kF64);
  EXPECT_EQ(round_function2(Function2::kZeta, two, one, kF64),
            0x3ffa51a6625307d3);
  EXPECT_EQ(round_function2(Function2::kPolygamma, one, one, kF64),
            0x3ffa51a6625307d3);
}

TEST(RealFunctions, WholeOrders) {
  for (const ElementType type : {kF32, kF64}) {
    const FloatFormat& f = format(type);
    for (const Function2 function : {Function2::kPolygamma, Function2::kZeta}) {
      Random random;
      for (int i = 0; i < kWholeOrders; ++i) {
        const uint64_t order = encode(
            static_cast<double>(random.next() % (i % 2 == 0 ? 8 : 160)), type);
        check2(function, order, random_code(f, random), f);
      }
    }
  }
}

}  // namespace
}  // namespace hlo::definition
