#include "interpreter/numeric/exact/decimal.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "interpreter/numeric/real/testing/oracle.h"

namespace hlo::numeric {
namespace {

using enum ElementType;

const FloatFormat& f64() { return format(kF64); }

std::string exact_digits(double value) {
  std::array<char, 1200> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                 value, std::chars_format::scientific, 780);
  return {buffer.data(), end.ptr};
}

// More digits than the midpoint itself has, to move off it by a trifle.
std::string just_above(const std::string& digits) {
  const size_t e = digits.find('e');
  return digits.substr(0, e) + std::string(900, '0') + "1" + digits.substr(e);
}

uint64_t strtofr(const std::string& text, const FloatFormat& format) {
  Real exact(4000);
  mpfr_strtofr(exact.get(), text.c_str(), nullptr, 10, MPFR_RNDN);
  return oracle::round_ieee(exact.get(), format);
}

TEST(Decimal, MidpointsOfNarrowFormatsRoundToEven) {
  for (const TypeInfo& row : all_types()) {
    if (row.type_class != TypeClass::kFloat || row.bits > 16) continue;
    const FloatFormat& f = format(row.type);
    if (f.specials == Specials::kE8M0) continue;
    const uint64_t step = f.width() == 16 ? 37 : 1;
    for (uint64_t c = 0; c < f.max_finite(); c += step) {
      const double middle = (decode(c, f) + decode(c + 1, f)) / 2;
      const std::string text = exact_digits(middle);
      ASSERT_EQ(from_decimal(text, f), c + (c & 1)) << row.name << text;
      ASSERT_EQ(from_decimal(just_above(text), f), c + 1) << row.name << text;
    }
  }
}

TEST(Decimal, HardF64MidpointsAgreeWithMpfr) {
  oracle::Random random(1);
  for (int i = 0; i < 400; ++i) {
    const double low = std::abs(random.real(-1080, 1022));
    const double high = std::nextafter(low, 1e308);
    Real middle(2200);
    mpfr_set_d(middle.get(), low, MPFR_RNDN);
    mpfr_add_d(middle.get(), middle.get(), high, MPFR_RNDN);
    mpfr_div_2ui(middle.get(), middle.get(), 1, MPFR_RNDN);
    std::array<char, 1300> buffer{};
    mpfr_snprintf(buffer.data(), buffer.size(), "%.*Re", 800, middle.get());
    const std::string text = buffer.data();
    const auto c = std::bit_cast<uint64_t>(low);
    ASSERT_EQ(from_decimal(text, f64()), c + (c & 1)) << text;
    ASSERT_EQ(from_decimal(just_above(text), f64()), c + 1) << text;
  }
}

TEST(Decimal, RandomDecimalsAgreeWithMpfr) {
  oracle::Random random(2);
  for (int i = 0; i < 20000; ++i) {
    std::string text = (random.bits() & 1) != 0 ? "-" : "";
    const int64_t digits = 1 + random.below(25);
    const int64_t point = random.below(digits + 1);
    for (int64_t d = 0; d < digits; ++d) {
      if (d == point) text += ".";
      text += static_cast<char>('0' + random.below(10));
    }
    const int64_t range = (i & 1) != 0 ? 700 : 60;
    text += "e" + std::to_string(random.below(range) - range / 2);
    for (const ElementType type : {kF64, kF32, kBF16, kF16, kF8E5M2}) {
      const FloatFormat& f = format(type);
      ASSERT_EQ(from_decimal(text, f), strtofr(text, f)) << name(type) << text;
    }
  }
}

// 15 digits are so close to a midpoint of f32 that as a double they are one.
TEST(Decimal, ShortDecimalsBesideMidpointsAgreeWithMpfr) {
  oracle::Random random(4);
  const FloatFormat& f = format(kF32);
  for (int i = 0; i < 5000; ++i) {
    const auto c = static_cast<uint32_t>(encode(random.real(-18, 18), f));
    const double middle = (decode(c, f) + decode(c + 1, f)) / 2;
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                   middle, std::chars_format::scientific, 14);
    const std::string text(buffer.data(), end.ptr);
    ASSERT_EQ(from_decimal(text, f), strtofr(text, f)) << text;
  }
}

TEST(Decimal, ShortestTextReadsBackForEveryNarrowCode) {
  for (const TypeInfo& row : all_types()) {
    if (row.type_class != TypeClass::kFloat || row.bits > 16) continue;
    const FloatFormat& f = format(row.type);
    for (uint64_t c = 0; c < uint64_t{1} << f.width(); ++c) {
      if (is_nan(c, f) || is_infinity(c, f)) continue;
      const std::string text = to_decimal(c, f);
      ASSERT_EQ(from_decimal(text, f), c) << row.name << " " << text;
      const bool is_power = f.specials == Specials::kE8M0;
      ASSERT_LE(text.size(), is_power ? 14U : 11U) << row.name << " " << text;
    }
  }
}

TEST(Decimal, PowersOfTwoAreExactInF32) {
  const FloatFormat& power = format(kF8E8M0FNU);
  const FloatFormat& single = format(kF32);
  for (uint64_t c = 0; c < 255; ++c) {
    const std::string text = to_decimal(c, power);
    const double value = std::ldexp(1.0, static_cast<int>(c) - 127);
    ASSERT_EQ(from_decimal(text, single), encode(value, single)) << text;
  }
}

TEST(Decimal, ShortestTextReadsBackForWideFormats) {
  oracle::Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t wide = random.bits();
    const uint64_t narrow = wide >> 32;
    for (const auto& [c, type] :
         {std::pair{wide, kF64}, std::pair{narrow, kF32}}) {
      const FloatFormat& f = format(type);
      if (is_nan(c, f) || is_infinity(c, f)) continue;
      const std::string text = to_decimal(c, f);
      ASSERT_EQ(from_decimal(text, f), c) << text;
      ASSERT_LE(text.size(), type == kF64 ? 24U : 16U) << text;
    }
  }
}

TEST(Decimal, TextIsWhatPeopleWrite) {
  const auto text = [](double value, ElementType type) {
    return to_decimal(encode(value, format(type)), format(type));
  };
  EXPECT_EQ(text(1, kF32), "1");
  EXPECT_EQ(text(-0.0, kF32), "-0.0");
  EXPECT_EQ(text(0.1, kF32), "0.1");
  EXPECT_EQ(text(0.1, kBF16), "0.1");
  EXPECT_EQ(text(448, kF8E4M3FN), "448");
  EXPECT_EQ(text(7.5, kF6E2M3FN), "7.5");
  EXPECT_EQ(text(6, kF4E2M1FN), "6");
  EXPECT_EQ(text(65504, kF16), "65504");
  EXPECT_EQ(text(-1.5e-7, kF64), "-1.5e-07");
  EXPECT_EQ(text(1e300, kF64), "1e+300");
  EXPECT_EQ(text(5e-324, kF64), "5e-324");
  EXPECT_EQ(text(0x1p-149, kF32), "1e-45");
  EXPECT_EQ(text(0x1p100, kF8E8M0FNU), "1.2676506e+30");
}

TEST(Decimal, WhatIsNotADecimalIsRefused) {
  for (const char* text : {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "1x",
                           "0x1", "nan", "inf", " 1", "1 ", "--1", "1e5.0"}) {
    EXPECT_FALSE(from_decimal(text, f64())) << text;
  }
}

TEST(Decimal, ExtremesStayCheap) {
  const FloatFormat& f = format(kF32);
  const std::string zeros(100000, '0');
  EXPECT_EQ(from_decimal("1e999999999999999999999", f), 0x7f800000U);
  EXPECT_EQ(from_decimal("-1e-999999999999999999999", f), 0x80000000U);
  EXPECT_EQ(from_decimal("0." + zeros + "1e100001", f), 0x3f800000U);
  EXPECT_EQ(from_decimal("1" + zeros + "e-100000", f), 0x3f800000U);
  EXPECT_EQ(from_decimal("0e999999999", f), 0U);
  EXPECT_EQ(from_decimal("+00012.50", f), 0x41480000U);
  EXPECT_EQ(from_decimal("1e9", format(kF4E2M1FN)), 7U);
  EXPECT_EQ(from_decimal("1e9", format(kF8E4M3FN)), 0x7fU);
}

}  // namespace
}  // namespace hlo::numeric
