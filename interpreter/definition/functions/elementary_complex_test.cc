#include "interpreter/definition/functions/elementary_complex.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/numeric/complex/rounded_complex.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::definition {
namespace {

using enum ElementType;
using numeric::ComplexBits;
using numeric::FloatFormat;
using numeric::format;

constexpr int kNumbers = 300;
constexpr int kLastFunction2 = static_cast<int>(ComplexFunction2::kAtan2);

const FloatFormat& part_format(ElementType type) {
  return format(component_type(type));
}

// Zeros, a subnormal, the largest, infinities, NaN, exact roots, the poles.
std::vector<uint64_t> special_parts(ElementType type) {
  const FloatFormat& f = part_format(type);
  std::vector<uint64_t> codes = {
      0, 1, f.max_finite(), f.infinity(), f.quiet_nan(), encode(1, f.type) - 1};
  for (const double x : {0.5, 1.0, 1.5, 2.0, 8.0, 1e9}) {
    codes.push_back(encode(x, f.type));
  }
  const size_t n = codes.size();
  for (size_t i = 0; i < n; ++i) codes.push_back(codes[i] | f.sign_mask());
  return codes;
}

std::vector<ComplexCode> special_numbers(ElementType type) {
  std::vector<ComplexCode> numbers;
  for (const uint64_t re : special_parts(type)) {
    for (const uint64_t im : special_parts(type)) numbers.push_back({re, im});
  }
  return numbers;
}

class Random {
 public:
  uint64_t next() {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return state_ >> 11 ^ state_ << 32;
  }

  // Any, or with an exponent where functions vary.
  uint64_t part(const FloatFormat& f) {
    const uint64_t code = next() & (f.sign_mask() * 2 - 1);
    const uint64_t fraction = (uint64_t{1} << f.mantissa_bits) - 1;
    if (next() % 3 == 0) return code;
    const auto field = static_cast<uint64_t>(f.bias - 6) + next() % 13;
    return (code & (f.sign_mask() | fraction)) | field << f.mantissa_bits;
  }

  ComplexCode number(ElementType type) {
    const FloatFormat& f = part_format(type);
    const uint64_t re = part(f);
    return {re, part(f)};
  }

 private:
  uint64_t state_ = 31;
};

// Equal codes, or any two codes of NaN.
bool same(uint64_t actual, uint64_t expected, const FloatFormat& f) {
  return actual == expected ||
         (isnan(decode(actual, f.type)) && isnan(decode(expected, f.type)));
}

void expect_same(ComplexCode actual, ComplexBits expected,
                 const FloatFormat& f) {
  const auto value = [&](uint64_t code) { return numeric::decode(code, f); };
  ASSERT_TRUE(same(actual.re, expected.re, f) &&
              same(actual.im, expected.im, f))
      << "definition: " << value(actual.re) << " " << value(actual.im)
      << " numeric: " << value(expected.re) << " " << value(expected.im);
}

std::string print(ComplexCode z, ElementType type) {
  const FloatFormat& f = part_format(type);
  return testing::PrintToString(numeric::decode(z.re, f)) + " + i " +
         testing::PrintToString(numeric::decode(z.im, f));
}

void check(ComplexFunction function, ComplexCode z, ElementType type) {
  SCOPED_TRACE(print(z, type));
  const FloatFormat& f = part_format(type);
  expect_same(round_function(function, z, type),
              numeric::round_complex(function, {z.re, z.im}, f).bits(), f);
}

void check2(ComplexFunction2 function, ComplexCode z, ComplexCode w,
            ElementType type) {
  SCOPED_TRACE(print(z, type) + " and " + print(w, type));
  const FloatFormat& f = part_format(type);
  expect_same(
      round_function2(function, z, w, type),
      numeric::round_complex2(function, {z.re, z.im}, {w.re, w.im}, f).bits(),
      f);
}

class EveryFunction : public testing::TestWithParam<int> {};

TEST_P(EveryFunction, SpecialValues) {
  const auto function = static_cast<ComplexFunction>(GetParam());
  for (const ElementType type : {kC64, kC128}) {
    for (const ComplexCode z : special_numbers(type)) check(function, z, type);
  }
}

TEST_P(EveryFunction, RandomNumbers) {
  const auto function = static_cast<ComplexFunction>(GetParam());
  for (const ElementType type : {kC64, kC128}) {
    Random random;
    for (int i = 0; i < kNumbers; ++i) {
      check(function, random.number(type), type);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    ElementaryComplex, EveryFunction,
    testing::Range(0, static_cast<int>(numeric::kLastComplexFunction) + 1));

class EveryFunction2 : public testing::TestWithParam<int> {};

// Each number meets some of the others.
TEST_P(EveryFunction2, SpecialValues) {
  const auto function = static_cast<ComplexFunction2>(GetParam());
  for (const ElementType type : {kC64, kC128}) {
    const std::vector<ComplexCode> numbers = special_numbers(type);
    const size_t step = function < ComplexFunction2::kPower ? 31 : 211;
    for (size_t i = 0; i < numbers.size(); ++i) {
      for (size_t j = i % step; j < numbers.size(); j += step) {
        check2(function, numbers[i], numbers[j], type);
      }
    }
  }
}

TEST_P(EveryFunction2, RandomNumbers) {
  const auto function = static_cast<ComplexFunction2>(GetParam());
  for (const ElementType type : {kC64, kC128}) {
    Random random;
    for (int i = 0; i < kNumbers; ++i) {
      const ComplexCode z = random.number(type);
      check2(function, z, random.number(type), type);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(ElementaryComplex, EveryFunction2,
                         testing::Range(0, kLastFunction2 + 1));

// Parts that are exact, and real operands.
TEST(ElementaryComplex, PowersOfSmallNumbers) {
  std::vector<ComplexCode> numbers;
  for (const double re : {0.0, 1.0, -1.0, 2.0}) {
    for (const double im : {0.0, -0.0, 1.0, -2.0}) {
      numbers.push_back(encode(Complex{re, im}, kC128));
    }
  }
  for (const ComplexCode z : numbers) {
    for (const ComplexCode w : numbers) {
      for (const double scale : {0.25, 1.0, 1e6, 1e300}) {
        const Complex more{decode(w, kC128).re * scale, decode(w, kC128).im};
        check2(ComplexFunction2::kPower, z, encode(more, kC128), kC128);
        check2(ComplexFunction2::kAtan2, z, encode(more, kC128), kC128);
      }
    }
  }
}

// Where x^2 - y^2 = 1, of codes: MPC 1.3.1 does not end there.
TEST(ElementaryComplex, WhereTheSquareHasTheRealPartOne) {
  for (int k = 1; k <= 11; ++k) {
    const double w = std::ldexp(1.0, k);
    for (const double re : {1.0, -1.0}) {
      for (const double im : {1.0, -1.0}) {
        const Complex z{re * (w + 1 / w) / 2, im * (w - 1 / w) / 2};
        const Complex other{z.im, z.re};
        for (const ElementType type : {kC64, kC128}) {
          check(ComplexFunction::kAsin, encode(z, type), type);
          check(ComplexFunction::kAcos, encode(z, type), type);
          check(ComplexFunction::kAcosh, encode(z, type), type);
          check(ComplexFunction::kAsinh, encode(other, type), type);
          check(ComplexFunction::kAsinAcosKernel, encode(z, type), type);
        }
      }
    }
  }
}

// Logarithms of numbers whose modulus is next to 1, and others like them.
TEST(ElementaryComplex, NextToTheUnitCircle) {
  for (int i = 1; i < 100; ++i) {
    const double angle = i * 0.0317;
    const double far = std::ldexp(1.0, -3 * i);
    for (const Complex& z : {Complex{std::cos(angle), std::sin(angle)},
                             Complex{std::sin(far), std::cos(far)},
                             Complex{-far * far / 2, far}}) {
      for (const ElementType type : {kC64, kC128}) {
        check(ComplexFunction::kLog, encode(z, type), type);
        check(ComplexFunction::kLog10, encode(z, type), type);
        check(ComplexFunction::kLogPlusOne, encode(z, type), type);
        check(ComplexFunction::kExponentialMinusOne, encode(z, type), type);
      }
    }
  }
}

TEST(ElementaryComplex, Magnitudes) {
  for (const ElementType type : {kC64, kC128}) {
    const FloatFormat& f = part_format(type);
    std::vector<ComplexCode> numbers = special_numbers(type);
    Random random;
    for (int i = 0; i < kNumbers; ++i) numbers.push_back(random.number(type));
    for (const ComplexCode z : numbers) {
      SCOPED_TRACE(print(z, type));
      ASSERT_TRUE(same(round_magnitude(z, type),
                       numeric::round_complex_abs({z.re, z.im}, f).bits, f));
    }
  }
}

}  // namespace
}  // namespace hlo::definition
