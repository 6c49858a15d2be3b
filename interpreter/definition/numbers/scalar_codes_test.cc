#include "interpreter/definition/numbers/scalar_codes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "interpreter/numeric/format/rounding.h"

namespace hlo::definition {
namespace {

using numeric::FloatFormat;
using numeric::format;

std::vector<FloatFormat> narrow_formats(int most_bits) {
  std::vector<FloatFormat> formats;
  for (const TypeInfo& row : all_types()) {
    if (row.type_class == TypeClass::kFloat && row.bits <= most_bits) {
      formats.push_back(format(row.type));
    }
  }
  return formats;
}

uint64_t end_of(const FloatFormat& f) { return uint64_t{1} << f.width(); }

bool same(const Real& x, double y) {
  if (isnan(x) || std::isnan(y)) {
    return isnan(x) && std::isnan(y) && signbit(x) == std::signbit(y);
  }
  return x == y && signbit(x) == std::signbit(y);
}

void expect_encoded(double x, const FloatFormat& f) {
  ASSERT_EQ(encode(x, f.type), numeric::encode(x, f))
      << name(f.type) << " " << x;
}

TEST(ScalarCodes, DecodeAllNarrow) {
  for (const FloatFormat& f : narrow_formats(16)) {
    for (uint64_t code = 0; code < end_of(f); ++code) {
      const Real x = decode(code, f.type);
      ASSERT_TRUE(same(x, numeric::decode(code, f))) << name(f.type) << code;
      ASSERT_TRUE(isnan(x) || encode(x, f.type) == code) << name(f.type);
    }
  }
}

// Computed in double; odd where that is not exact.
double sum_of(double x, double y) {
  if (std::isnan(x + y)) return NAN;
  return std::isinf(x + y) ? x + y : numeric::add_to_odd(x, y);
}

double product_of(double x, double y) {
  return std::isnan(x * y) ? NAN : x * y;
}

TEST(ScalarCodes, EncodeSumsAndProducts) {
  for (const FloatFormat& f : narrow_formats(8)) {
    std::vector<Real> reals;
    std::vector<double> doubles;
    for (uint64_t code = 0; code < end_of(f); ++code) {
      reals.push_back(decode(code, f.type));
      doubles.push_back(numeric::decode(code, f));
    }
    for (size_t a = 0; a < end_of(f); ++a) {
      for (size_t b = 0; b <= a; ++b) {
        const double sum = sum_of(doubles[a], doubles[b]);
        const double product = product_of(doubles[a], doubles[b]);
        ASSERT_EQ(encode(reals[a] + reals[b], f.type), numeric::encode(sum, f));
        ASSERT_EQ(encode(reals[a] * reals[b], f.type),
                  numeric::encode(product, f));
      }
    }
  }
}

TEST(ScalarCodes, EncodeBesideEveryMiddle) {
  for (const FloatFormat& f : narrow_formats(16)) {
    const uint64_t step = f.width() == 16 ? 7 : 1;
    for (uint64_t code = 0; code + 1 < end_of(f); code += step) {
      const double low = numeric::decode(code, f);
      const double middle = (low + numeric::decode(code + 1, f)) / 2;
      for (const double x : {middle, std::nextafter(middle, -HUGE_VAL),
                             std::nextafter(middle, HUGE_VAL)}) {
        ASSERT_NO_FATAL_FAILURE(expect_encoded(x, f));
      }
    }
  }
}

TEST(ScalarCodes, EncodeRangesAndSpecials) {
  for (const FloatFormat& f : narrow_formats(64)) {
    for (int e = -1074; e < 1024; ++e) {
      for (const double m : {1.0, 1.25, 1.5, 1.75, 1.9999999999999998}) {
        ASSERT_NO_FATAL_FAILURE(expect_encoded(std::ldexp(m, e), f));
        ASSERT_NO_FATAL_FAILURE(expect_encoded(std::ldexp(-m, e), f));
      }
    }
    for (const double x : {0.0, HUGE_VAL, static_cast<double>(NAN)}) {
      ASSERT_NO_FATAL_FAILURE(expect_encoded(std::copysign(x, 1.0), f));
      ASSERT_NO_FATAL_FAILURE(expect_encoded(std::copysign(x, -1.0), f));
    }
  }
}

// The processor rounds quotients and sums, this does it anew.
TEST(ScalarCodes, DoubleQuotients) {
  const FloatFormat& f = format(ElementType::kF64);
  uint64_t state = 1;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const uint64_t a = state;
    state = state * 6364136223846793005 + 1442695040888963407;
    const auto x = std::bit_cast<double>(a);
    const auto y = std::bit_cast<double>(state);
    if (std::isnan(x) || std::isnan(y)) continue;
    ASSERT_EQ(encode(decode(a, f.type) / decode(state, f.type), f.type),
              std::bit_cast<uint64_t>(x / y));
    ASSERT_EQ(encode(decode(a, f.type) * decode(state, f.type), f.type),
              std::bit_cast<uint64_t>(x * y));
    ASSERT_EQ(encode(decode(a, f.type) + decode(state, f.type), f.type),
              std::bit_cast<uint64_t>(x + y));
  }
}

TEST(ScalarCodes, Integers) {
  for (const int bits : {1, 2, 4, 8}) {
    const uint64_t end = uint64_t{1} << bits;
    for (uint64_t code = 0; code < end; ++code) {
      const int64_t less = code < end / 2 ? 0 : static_cast<int64_t>(end);
      const auto x = static_cast<int64_t>(code);
      EXPECT_EQ(decode_integer(code, bits, false), x);
      EXPECT_EQ(decode_integer(code, bits, true), x - less);
      EXPECT_EQ(wrap(Integer(x - less), bits), code);
      EXPECT_EQ(wrap(Integer(x) - 5 * (Integer(1) << 100), bits), code);
    }
  }
  constexpr uint64_t kTop = uint64_t{1} << 63;
  EXPECT_EQ(decode_integer(kTop, 64, true),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(decode_integer(kTop, 64, false), kTop);
  EXPECT_EQ(wrap(-Integer(kTop), 64), kTop);
  EXPECT_EQ(wrap(Integer(-1), 64), ~uint64_t{0});
}

}  // namespace
}  // namespace hlo::definition
