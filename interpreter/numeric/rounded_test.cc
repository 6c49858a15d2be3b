#include "interpreter/numeric/rounded.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "interpreter/numeric/format/rounding.h"
#include "interpreter/numeric/special/testing/oracle_functions.h"

namespace hlo::numeric {
namespace {

using enum ElementType;

constexpr mpfr_prec_t kPrecision = 160;

using Reference = oracle::Unary;
using oracle::kUnary;

void check(const Reference& row, uint64_t x, const FloatFormat& f,
           uint64_t actual, int side) {
  Real argument(53);
  Real value(kPrecision);
  mpfr_set_d(argument.get(), decode(x, f), MPFR_RNDN);
  oracle::round_to_odd(value.get(),
                       row.evaluate(value.get(), argument.get(), MPFR_RNDZ));
  const bool nan = mpfr_nan_p(value.get()) != 0;
  if (nan) {
    ASSERT_EQ(actual & ~f.sign_mask(), nan_code(false, f) & ~f.sign_mask());
    return;
  }
  const uint64_t expected = f.specials == Specials::kIeee
                                ? oracle::round_ieee(value.get(), f)
                                : oracle::round_by_search(value.get(), f);
  ASSERT_EQ(actual, expected)
      << row.name << " " << name(f.type) << " " << decode(x, f);
  if (is_nan(actual, f)) return;
  const int order = mpfr_cmp_d(value.get(), decode(actual, f));
  ASSERT_EQ(side, order < 0 ? -1 : (order > 0 ? 1 : 0))
      << row.name << " " << name(f.type) << " " << decode(x, f);
}

void check_codes(const Reference& row, const FloatFormat& f,
                 const std::vector<uint64_t>& codes) {
  for (const uint64_t x : codes) {
    const Rounded rounded = round_function(row.function, x, f);
    ASSERT_NO_FATAL_FAILURE(check(row, x, f, rounded.bits, rounded.side));
  }
}

std::vector<uint64_t> strided(const FloatFormat& f, uint64_t step) {
  std::vector<uint64_t> codes;
  const uint64_t end = f.width() == 64 ? 0 : uint64_t{1} << f.width();
  for (uint64_t c = step / 2; c + step > c && (end == 0 || c < end);
       c += step) {
    codes.push_back(c);
  }
  return codes;
}

TEST(Rounded, EveryFunctionHasARow) {
  for (size_t i = 0; i < kUnary.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(kUnary[i].function), i);
  }
  // special_test.cc has the others.
  EXPECT_EQ(kUnary.size(), static_cast<size_t>(Function::kErfc));
}

TEST(Rounded, EveryCodeOfSmallFormatsIsCorrect) {
  for (const TypeInfo& type : all_types()) {
    if (type.type_class != TypeClass::kFloat || type.bits > 8) continue;
    const FloatFormat& f = format(type.type);
    for (const Reference& row : kUnary) {
      ASSERT_NO_FATAL_FAILURE(check_codes(row, f, strided(f, 1)));
    }
  }
}

TEST(Rounded, EveryF16AndBf16IsCorrect) {
  for (const ElementType type : {kF16, kBF16}) {
    for (const Reference& row : kUnary) {
      ASSERT_NO_FATAL_FAILURE(
          check_codes(row, format(type), strided(format(type), 1)));
    }
  }
}

// Arrays are tested in kernels_test.cc too.
TEST(Rounded, StridedF32AreCorrect) {
  const FloatFormat& f = format(kF32);
  for (const Reference& row : kUnary) {
    ASSERT_NO_FATAL_FAILURE(
        check_codes(row, f, strided(f, (uint64_t{1} << 32) / 10'000 | 1)));
  }
}

TEST(Rounded, StridedF64AreCorrect) {
  const FloatFormat& f = format(kF64);
  oracle::Random random(21);
  std::vector<uint64_t> codes = strided(f, ~uint64_t{0} / 3000);
  for (int i = 0; i < 3000; ++i)
    codes.push_back(encode(random.real(-60, 9), f));
  for (const Reference& row : kUnary) {
    ASSERT_NO_FATAL_FAILURE(check_codes(row, f, codes));
  }
}

template <typename Code>
void check_array(const Reference& row, const FloatFormat& f,
                 const std::vector<Code>& codes) {
  std::vector<Code> results(codes.size());
  round_function_array(row.function, codes.data(), results.data(),
                       static_cast<int64_t>(codes.size()), f);
  for (size_t i = 0; i < codes.size(); ++i) {
    ASSERT_EQ(results[i], round_function(row.function, codes[i], f).bits)
        << row.name << " " << name(f.type) << " " << decode(codes[i], f);
  }
}

template <typename Code>
std::vector<Code> random_codes(size_t n, uint64_t seed,
                               int width = 8 * sizeof(Code)) {
  oracle::Random random(seed);
  std::vector<Code> codes(n);
  for (Code& c : codes) c = static_cast<Code>(random.bits() >> (64 - width));
  return codes;
}

TEST(Rounded, ArraysAgreeWithSingleValues) {
  for (const Reference& row : kUnary) {
    check_array(row, format(kF32), random_codes<uint32_t>(3000, 22));
    check_array(row, format(kF64), random_codes<uint64_t>(100, 23));
    check_array(row, format(kBF16), random_codes<uint16_t>(100, 24));
    check_array(row, format(kF8E4M3FN), random_codes<uint8_t>(300, 25));
    check_array(row, format(kF8E8M0FNU), random_codes<uint8_t>(300, 26));
  }
}

// Arrays of all codes are read from a table.
TEST(Rounded, TablesAgreeWithSingleValues) {
  std::vector<uint16_t> codes(1 << 16);
  std::iota(codes.begin(), codes.end(), uint16_t{0});
  for (const Reference& row : kUnary) {
    check_array(row, format(kF16), codes);
    check_array(row, format(kBF16), codes);
  }
}

template <typename Code>
void check_pairs(ElementType type, size_t n) {
  const FloatFormat& f = format(type);
  const std::vector<Code> x = random_codes<Code>(n, 71, f.width());
  const std::vector<Code> y = random_codes<Code>(n, 72, f.width());
  std::vector<Code> results(n);
  for (const oracle::Binary& row : oracle::kBinary) {
    round_function2_array(row.function, x.data(), y.data(), results.data(),
                          static_cast<int64_t>(n), f);
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(results[i], round_function2(row.function, x[i], y[i], f).bits)
          << row.name << " " << name(type) << " " << decode(x[i], f) << " "
          << decode(y[i], f);
    }
  }
}

TEST(Rounded, ArraysOfPairsAgreeWithSingleValues) {
  check_pairs<uint32_t>(kF32, 5000);
  check_pairs<uint64_t>(kF64, 200);
  check_pairs<uint16_t>(kF16, 5000);
  check_pairs<uint16_t>(kBF16, 5000);
  check_pairs<uint8_t>(kF8E5M2, 5000);
  check_pairs<uint8_t>(kF8E4M3FN, 20'000);  // by a table
  check_pairs<uint8_t>(kF8E8M0FNU, 20'000);
  check_pairs<uint8_t>(kF4E2M1FN, 300);
}

double power(double x, double y) {
  const FloatFormat& f = format(kF64);
  return decode(
      round_function2(Function2::kPower, encode(x, f), encode(y, f), f).bits,
      f);
}

TEST(Rounded, PowersFollowAnnexF) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(power(1, kNan), 1);
  EXPECT_EQ(power(kNan, 0), 1);
  EXPECT_EQ(power(-1, kInf), 1);
  EXPECT_EQ(power(2, 0.5), 0x1.6a09e667f3bcdp0);
  EXPECT_EQ(power(-2, 3), -8);
  EXPECT_EQ(power(-0.0, -3), -kInf);
  EXPECT_EQ(power(-0.0, 0.5), 0);
  EXPECT_FALSE(std::signbit(power(-0.0, 0.5)));
  EXPECT_TRUE(std::isnan(power(-2, 0.5)));
  EXPECT_EQ(power(0x1p600, 2), kInf);
}

uint32_t code_of(float value) { return std::bit_cast<uint32_t>(value); }

// Squares of 25 bits: half of them lie half way between two floats.
TEST(Rounded, SquaresHalfWayGoToEven) {
  std::vector<float> x;
  for (int n = 4097; n < 5792; ++n) x.push_back(static_cast<float>(n));
  const std::vector<float> two(x.size(), 2);
  std::vector<float> squares(x.size());
  round_function2_array(Function2::kPower, x.data(), two.data(), squares.data(),
                        static_cast<int64_t>(x.size()), format(kF32));
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(squares[i], x[i] * x[i]);
}

// (m^2 - n^2)^2 + (2mn)^2 = (m^2 + n^2)^2, of 25 bits.
TEST(Rounded, HypotenusesHalfWayGoToEven) {
  const FloatFormat& f = format(kF32);
  for (int m = 3300; m < 3400; ++m) {
    for (int n = 2602 - m % 2; n < 2620; n += 2) {
      const double a = m * m - n * n;
      const double b = 2 * m * n;
      const double c = m * m + n * n;  // odd
      ASSERT_EQ(static_cast<double>(static_cast<float>(a)), a);
      const double b_float = static_cast<float>(b);
      if (b_float != b) continue;
      EXPECT_EQ(
          round_function2(Function2::kHypot, encode(a, f), encode(b, f), f)
              .bits,
          code_of(static_cast<float>(c)));
    }
  }
}

TEST(Rounded, PowersOfTwoAndTenHaveExactLogarithms) {
  const FloatFormat& f = format(kF32);
  for (int n = -149; n < 128; ++n) {
    const uint64_t power = encode(std::ldexp(1, n), f);
    const Rounded log2 = round_function(Function::kLog2, power, f);
    EXPECT_EQ(log2.bits, code_of(static_cast<float>(n)));
    EXPECT_EQ(log2.side, 0);
    const auto argument = static_cast<float>(n);
    const Rounded exp2 =
        round_function(Function::kExponential2, code_of(argument), f);
    EXPECT_EQ(exp2.bits, power);
    EXPECT_EQ(exp2.side, 0);
  }
  // Half of the least number.
  EXPECT_EQ(round_function(Function::kExponential2, code_of(-150), f).bits, 0U);
  double power = 1;
  for (int n = 0; n <= 10; ++n) {
    const Rounded log10 = round_function(Function::kLog10, encode(power, f), f);
    EXPECT_EQ(log10.bits, code_of(static_cast<float>(n)));
    EXPECT_EQ(log10.side, 0);
    power *= 10;
  }
}

TEST(Rounded, AnglesKnowTheSignsOfZero) {
  const FloatFormat& f = format(kF32);
  const auto angle = [&](double y, double x) {
    return decode(
        round_function2(Function2::kAtan2, encode(y, f), encode(x, f), f).bits,
        f);
  };
  const auto pi = static_cast<double>(3.14159265358979323846F);
  EXPECT_EQ(angle(0.0, -0.0), pi);
  EXPECT_EQ(angle(-0.0, -0.0), -pi);
  EXPECT_TRUE(std::signbit(angle(-0.0, 1)));
  EXPECT_EQ(angle(1, 0), pi / 2);
}

// mpmath, 60 digits: the values that XLA's issues cite.
TEST(Rounded, KnownHardValuesHold) {
  const FloatFormat& f32 = format(kF32);
  const FloatFormat& f64 = format(kF64);
  EXPECT_EQ(round_function(Function::kTanh, encode(7, f32), f32).bits,
            0x3f7fffe4U);
  EXPECT_EQ(round_function(Function::kTanh, encode(8, f32), f32).bits,
            0x3f7ffffcU);
  EXPECT_EQ(round_function(Function::kSine, encode(1e10, f32), f32).bits,
            0xbef99a64U);
  EXPECT_EQ(decode(round_function(Function::kLog, 1, f32).bits, f32),
            static_cast<double>(-103.27893F));
  EXPECT_EQ(round_function(Function::kRsqrt, encode(2, f64), f64).bits,
            0x3fe6a09e667f3bcdU);
}

}  // namespace
}  // namespace hlo::numeric
