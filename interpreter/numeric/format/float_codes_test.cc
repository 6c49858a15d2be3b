#include "interpreter/numeric/format/float_codes.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "interpreter/numeric/format/rounding.h"

namespace hlo::numeric {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<FloatFormat> formats(int max_width) {
  std::vector<FloatFormat> found;
  for (const TypeInfo& row : all_types()) {
    if (row.type_class == TypeClass::kFloat && row.bits <= max_width) {
      found.push_back(format(row.type));
    }
  }
  return found;
}

uint64_t code(double value, ElementType type) {
  return encode(value, format(type));
}

TEST(FloatFormat, WidthsAgreeWithTheTypes) {
  EXPECT_EQ(formats(64).size(), 15U);
  for (const FloatFormat& f : formats(64)) EXPECT_EQ(f.width(), bits(f.type));
}

TEST(FloatFormat, EncodeUndoesDecodeOnEveryCode) {
  for (const FloatFormat& f : formats(16)) {
    for (uint64_t c = 0; c < uint64_t{1} << f.width(); ++c) {
      const uint64_t again = encode(decode(c, f), f);
      if (is_nan(c, f)) {
        ASSERT_EQ(again & ~f.sign_mask(), f.quiet_nan() & ~f.sign_mask());
        ASSERT_EQ(sign_bit(again, f), sign_bit(c, f));
      } else {
        ASSERT_EQ(again, c) << name(f.type);
      }
    }
  }
}

TEST(FloatFormat, OrdinalsAreConsecutiveAndOrdered) {
  for (const FloatFormat& f : formats(16)) {
    for (uint64_t c = 0; c < uint64_t{1} << f.width(); ++c) {
      if (is_nan(c, f)) continue;
      const int64_t o = ordinal(c, f);
      ASSERT_EQ(from_ordinal(o, f).value_or(~c), o == 0 ? 0 : c);
      const auto next = from_ordinal(o + 1, f);
      if (!next) continue;
      ASSERT_LT(decode(c, f), decode(*next, f)) << name(f.type);
    }
  }
}

// Between two neighbours everything rounds to the nearer one, and the midpoint
// to the even one: with the codes in order this is the whole of rounding.
void check_around(double middle, uint64_t low, uint64_t high,
                  const FloatFormat& f) {
  const uint64_t even = (low & 1) == 0 ? low : high;
  ASSERT_EQ(encode(std::nextafter(middle, -kInf), f), low) << name(f.type);
  ASSERT_EQ(encode(middle, f), even) << name(f.type) << " " << middle;
  ASSERT_EQ(encode(std::nextafter(middle, kInf), f), high) << name(f.type);
}

TEST(FloatFormat, EncodeRoundsToNearestEvenBetweenAllNeighbours) {
  for (const FloatFormat& f : formats(16)) {
    if (f.specials == Specials::kE8M0) continue;
    for (uint64_t c = 1; c < f.max_finite(); ++c) {
      const double middle = (decode(c, f) + decode(c + 1, f)) / 2;
      check_around(middle, c, c + 1, f);
      if (f.specials == Specials::kFnuz || f.specials == Specials::kE8M0) {
        continue;
      }
      const uint64_t sign = f.sign_mask();
      ASSERT_EQ(encode(-middle, f), encode(middle, f) | sign);
    }
  }
}

TEST(FloatFormat, RoundScaledAgreesWithEncode) {
  for (const FloatFormat& f : formats(64)) {
    for (int e = -1074; e < 1024; ++e) {
      for (uint64_t m = 0; m < 4096; m += 41) {
        const double x = std::ldexp(static_cast<double>(4096 + m), e - 12);
        if (!std::isfinite(x)) continue;
        ASSERT_EQ(round_scaled(split(x), f).bits, encode(x, f)) << x;
        ASSERT_EQ(round_scaled(split(-x), f).bits, encode(-x, f)) << x;
      }
    }
  }
}

TEST(FloatFormat, ScaledSideSaysWhereTheNumberLies) {
  const FloatFormat& f = format(ElementType::kF8E4M3FN);
  for (double x = -500; x < 500; x += 0.0625) {
    const Rounded r = round_scaled(split(x), f);
    if (is_nan(r.bits, f)) continue;
    const double y = decode(r.bits, f);
    ASSERT_EQ(r.side, x < y ? -1 : (x > y ? 1 : 0)) << x;
  }
}

TEST(FloatFormat, StickyBreaksTies) {
  const FloatFormat& f = format(ElementType::kF32);
  const uint64_t tie = (uint64_t{1} << 63) + (uint64_t{1} << 39);
  EXPECT_EQ(round_scaled({tie, -63, false, false}, f).bits, 0x3f800000U);
  EXPECT_EQ(round_scaled({tie, -63, true, false}, f).bits, 0x3f800001U);
  EXPECT_EQ(round_scaled({tie, -63, true, true}, f).bits, 0xbf800001U);
  EXPECT_EQ(round_scaled({uint64_t{1} << 63, -213, true, false}, f).bits, 1U);
  EXPECT_EQ(round_scaled({uint64_t{1} << 63, -213, false, false}, f).bits, 0U);
}

struct Row {
  ElementType type;
  double value;
  uint64_t bits;
};

// From the published tables of the formats.
TEST(FloatFormat, OverflowAndSpecialsFollowTheFormat) {
  using enum ElementType;
  const std::array rows = {
      Row{kF16, 65519, 0x7bff},
      Row{kF16, 65520, 0x7c00},
      Row{kF16, kNan, 0x7e00},
      Row{kF16, -kNan, 0xfe00},
      Row{kBF16, 1e39, 0x7f80},
      Row{kBF16, kNan, 0x7fc0},
      Row{kF8E5M2, 61439, 0x7b},
      Row{kF8E5M2, 61440, 0x7c},
      Row{kF8E5M2, kNan, 0x7e},
      Row{kF8E4M3, 248, 0x78},
      Row{kF8E4M3, kNan, 0x7c},
      Row{kF8E3M4, 15.75, 0x70},
      Row{kF8E3M4, kNan, 0x78},
      Row{kF8E4M3FN, 464, 0x7e},
      Row{kF8E4M3FN, 465, 0x7f},
      Row{kF8E4M3FN, -kInf, 0xff},
      Row{kF8E4M3FN, -0.0, 0x80},
      Row{kF8E4M3FNUZ, 247.9, 0x7f},
      Row{kF8E4M3FNUZ, 248, 0x80},
      Row{kF8E4M3FNUZ, -0.0, 0},
      Row{kF8E4M3FNUZ, -1e-9, 0},
      Row{kF8E4M3FNUZ, -kInf, 0x80},
      Row{kF8E5M2FNUZ, 57344, 0x7f},
      Row{kF8E5M2FNUZ, kNan, 0x80},
      Row{kF8E4M3B11FNUZ, 30, 0x7f},
      Row{kF8E4M3B11FNUZ, 31, 0x80},
      Row{kF4E2M1FN, 5, 6},
      Row{kF4E2M1FN, 1e9, 7},
      Row{kF4E2M1FN, -kInf, 0xf},
      Row{kF4E2M1FN, kNan, 8},
      Row{kF4E2M1FN, -kNan, 0},
      Row{kF6E2M3FN, 7.75, 0x1f},
      Row{kF6E3M2FN, kInf, 0x1f},
      Row{kF6E3M2FN, kNan, 0x20},
      Row{kF8E8M0FNU, 1.5, 0x80},
      Row{kF8E8M0FNU, 1.4999, 0x7f},
      Row{kF8E8M0FNU, 0, 0xff},
      Row{kF8E8M0FNU, -1, 0xff},
      Row{kF8E8M0FNU, 1e-300, 0},
      Row{kF8E8M0FNU, 1e300, 0xff},
      Row{kF8E8M0FNU, 0x1p127, 0xfe},
      Row{kF8E8M0FNU, kNan, 0xff},
      Row{kF8E8M0FNU, 0x1.8p127, 0xff},
      Row{kF32, -kNan, 0xffc00000},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(code(row.value, row.type), row.bits)
        << name(row.type) << " " << row.value;
  }
}

TEST(FloatFormat, F64KeepsEveryValue) {
  const FloatFormat& f = format(ElementType::kF64);
  for (const double x : {0.0, -0.0, 5e-324, -1.5, kInf, -kInf, 0x1.8p1023}) {
    EXPECT_EQ(encode(x, f), std::bit_cast<uint64_t>(x));
    EXPECT_EQ(std::bit_cast<uint64_t>(decode(encode(x, f), f)), encode(x, f));
  }
  EXPECT_EQ(encode(std::bit_cast<double>(uint64_t{0x7ff0000000000001}), f),
            0x7ff8000000000000U);
}

TEST(FloatFormat, ArraysAgreeWithSingleCodes) {
  for (const FloatFormat& f : formats(16)) {
    const int64_t n = int64_t{1} << f.width();
    std::vector<uint16_t> storage(static_cast<size_t>(n));
    std::vector<double> values(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) {
      store_code(storage.data(), i, static_cast<uint64_t>(i), f);
    }
    decode_array(storage.data(), values.data(), n, f);
    encode_array(values.data(), storage.data(), n, f);
    for (int64_t i = 0; i < n; ++i) {
      const double one = decode(static_cast<uint64_t>(i), f);
      ASSERT_EQ(std::bit_cast<uint64_t>(values[static_cast<size_t>(i)]),
                std::bit_cast<uint64_t>(one));
      ASSERT_EQ(load_code(storage.data(), i, f), encode(one, f));
    }
  }
}

TEST(FloatFormat, SignalingNansAreThoseWithoutTheQuietBit) {
  EXPECT_TRUE(is_signaling_nan(0x7f800001, format(ElementType::kF32)));
  EXPECT_FALSE(is_signaling_nan(0x7fc00001, format(ElementType::kF32)));
  EXPECT_FALSE(is_signaling_nan(0x7f, format(ElementType::kF8E4M3FN)));
}

}  // namespace
}  // namespace hlo::numeric
