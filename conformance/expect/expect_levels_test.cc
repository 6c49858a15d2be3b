#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "conformance/expect/expect_module.h"
#include "conformance/judge/judge.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

// What the levels that are stricter than the gate ask of results that the gate
// bounds by a modulus or a norm. Expected codes are of mpmath.
namespace hlo::conformance {
namespace {

/// The set of the first array of the body's result under the level.
ArraySet under(const std::string& level, const std::string& body) {
  const Module module =
      verified_module("HloModule m\nENTRY main {\n" + body + "}\n");
  return std::get<ArraySet>(
      expect_module(module, {}, nullptr, parse_profile(level)).at(0));
}

bool has(const ArraySet& set, uint64_t code, int part = 0, int64_t i = 0) {
  return set.at(i, part).contains(code, ElementType::kF32);
}

/// On one or two numbers of c64.
std::string complex(const std::string& operation, const std::string& x,
                    const std::string& y = "") {
  std::string text = "  x = c64[] constant((" + x + "))\n";
  if (!y.empty()) text += "  y = c64[] constant((" + y + "))\n";
  return text + "  ROOT r = c64[] " + operation +
         (y.empty() ? "(x)" : "(x, y)");
}

/// Which of the codes are in the set of that part.
std::vector<uint64_t> held(const ArraySet& set,
                           const std::vector<uint64_t>& codes, int part = 0,
                           int64_t i = 0) {
  std::vector<uint64_t> found;
  for (const uint64_t code : codes) {
    if (has(set, code, part, i)) found.push_back(code);
  }
  return found;
}

using Codes = std::vector<uint64_t>;

// exp(1 + 2i) is -1.1312043837568136 + 2.4717266720048189 i: bf90cb4e and
// 401e30c5, and beyond them from 0.
TEST(ExpectLevels, HoldPartsOfComplexFunctions) {
  const std::string text = complex("exponential", "1, 2");
  const Codes real = {0xbf90cb4d, 0xbf90cb4e, 0xbf90cb4f, 0xbf90cb50};
  const Codes imaginary = {0x401e30c4, 0x401e30c5, 0x401e30c6, 0x401e30c7};
  for (const char* level : {"exact", "cr"}) {
    const ArraySet set = under(level, text);
    EXPECT_EQ(held(set, real), Codes{0xbf90cb4e}) << level;
    EXPECT_EQ(held(set, imaginary, 1), Codes{0x401e30c5}) << level;
  }
  const ArraySet faithful = under("faithful", text);
  EXPECT_EQ(held(faithful, real), (Codes{0xbf90cb4e, 0xbf90cb4f}));
  EXPECT_EQ(held(faithful, imaginary, 1), (Codes{0x401e30c5, 0x401e30c6}));
  for (const char* level : {"tight", "opencl-full", "relaxed"}) {
    EXPECT_EQ(held(under(level, text), real), real) << level;
  }
}

// (1 + 2i) / (3 + 5i) = (13 + i) / 34, below 3ec3c3c4 and 3cf0f0f1.
TEST(ExpectLevels, HoldPartsOfQuotients) {
  const std::string text = complex("divide", "1, 2", "3, 5");
  const Codes real = {0x3ec3c3c2, 0x3ec3c3c3, 0x3ec3c3c4, 0x3ec3c3c5};
  const Codes imaginary = {0x3cf0f0ef, 0x3cf0f0f0, 0x3cf0f0f1, 0x3cf0f0f2};
  EXPECT_EQ(held(under("cr", text), real), Codes{0x3ec3c3c4});
  const ArraySet faithful = under("faithful", text);
  EXPECT_EQ(held(faithful, real), (Codes{0x3ec3c3c3, 0x3ec3c3c4}));
  EXPECT_EQ(held(faithful, imaginary, 1), (Codes{0x3cf0f0f0, 0x3cf0f0f1}));
  EXPECT_EQ(held(under("tight", text), real), real);
}

// 3 + 4i is 5 long, and nothing else: exact values have no neighbours.
TEST(ExpectLevels, KnowNoNeighboursOfNumbers) {
  const std::string text =
      "  x = c64[] constant((3, 4))\n  ROOT r = f32[] abs(x)";
  const Codes codes = {0x409fffff, 0x40a00000, 0x40a00001};
  EXPECT_EQ(held(under("faithful", text), codes), Codes{0x40a00000});
  EXPECT_EQ(held(under("tight", text), codes), codes);
}

// 2^128 - 2^103, midway between the largest number, 7f7fffff, and 2^128, is
// next to both; 2^128 itself is infinite only.
TEST(ExpectLevels, CountInfinityAsTheNextBinade) {
  const Codes codes = {0x7f7ffffe, 0x7f7fffff, 0x7f800000};
  const std::string below =
      complex("multiply", "18446744073709551616, 2251799813685248",
              "18446744073709551616, 4503599627370496");
  EXPECT_EQ(held(under("cr", below), codes), Codes{0x7f800000});
  EXPECT_EQ(held(under("faithful", below), codes),
            (Codes{0x7f7fffff, 0x7f800000}));
  const std::string at =
      complex("multiply", "18446744073709551616, 1", "18446744073709551616, 0");
  EXPECT_EQ(held(under("faithful", at), codes), Codes{0x7f800000});
  const std::string negative =
      complex("multiply", "-18446744073709551616, 2251799813685248",
              "18446744073709551616, -4503599627370496");
  EXPECT_EQ(
      held(under("faithful", negative), {0xff7ffffe, 0xff7fffff, 0xff800000}),
      (Codes{0xff7fffff, 0xff800000}));
}

// 2^-126 - 2^-152 is 2^-126 when it is rounded, 00800000, and may be flushed
// before; 2^-126 itself may not.
TEST(ExpectLevels, FlushWhatIsNormalByItsRoundingOnly) {
  const Codes codes = {0, 0x007fffff, 0x00800000, 0x80000000};
  const std::string below =
      complex("multiply", "1.0842021724855044e-19, 1.3234889800848443e-23",
              "1.0842021724855044e-19, 1.3234889800848443e-23");
  EXPECT_EQ(held(under("cr", below), codes), Codes{0x00800000});
  EXPECT_EQ(held(under("cr,subnormals=ftz", below), codes),
            (Codes{0, 0x00800000}));
  EXPECT_EQ(held(under("faithful", below), codes),
            (Codes{0x007fffff, 0x00800000}));
  EXPECT_EQ(held(under("faithful,subnormals=ftz", below), codes),
            (Codes{0, 0x007fffff, 0x00800000}));
  const std::string at = complex("multiply", "1.0842021724855044e-19, 1",
                                 "1.0842021724855044e-19, 0");
  EXPECT_EQ(held(under("cr,subnormals=ftz", at), codes), Codes{0x00800000});
}

// Annex G leaves the sign of the zero of exp(-inf + inf i) open.
TEST(ExpectLevels, LeaveSignsOpenThatAnnexGDoes) {
  const std::string text = complex("exponential", "-inf, inf");
  for (const char* level : {"exact", "cr", "faithful"}) {
    const ArraySet set = under(level, text);
    for (int part = 0; part < 2; ++part) {
      EXPECT_EQ(held(set, {0, 0x80000000, 1}, part), (Codes{0, 0x80000000}))
          << level;
    }
  }
}

// It has no word on logistic: 1 / (1 + exp -z) in these steps gives other zeros
// than the limit.
TEST(ExpectLevels, LeaveSignsOfZerosOfLogisticOpen) {
  for (const char* level : {"exact", "cr", "faithful"}) {
    const ArraySet right = under(level, complex("logistic", "inf, -2"));
    EXPECT_EQ(held(right, {0, 0x80000000, 1}, 1), (Codes{0, 0x80000000}));
    EXPECT_EQ(held(right, {0, 0x3f800000, 0xbf800000}), Codes{0x3f800000});
    const ArraySet left = under(level, complex("logistic", "-inf, -2"));
    EXPECT_EQ(held(left, {0, 0x80000000, 1}), (Codes{0, 0x80000000}));
  }
}

TEST(ExpectLevels, TakeAnyQuietNanOfComplexFunctions) {
  const std::string text = complex("exponential", "nan, 1");
  const Codes codes = {0, 0x7f800000, 0x7fc00000, 0xffc00001, 0x7f800001};
  for (const char* level : {"exact", "cr", "faithful"}) {
    EXPECT_EQ(held(under(level, text), codes), (Codes{0x7fc00000, 0xffc00001}))
        << level;
  }
}

/// A program whose result the gate bounds, the code of an element, and which
/// element that is.
struct Bounded {
  const char* text;
  uint64_t code;
  int64_t element;
  int part = 0;
};

// Bin 1 of {1, 2, 4} is -2 + 3^(1/2) i; the root of 3 is 3fddb3d7, its inverse
// 3f13cd3a, and a third 3eaaaaab.
constexpr Bounded kBounded[] = {
    {"  x = f32[3] constant({1, 2, 4})\n"
     "  ROOT r = c64[2] fft(x), fft_type=RFFT, fft_length={3}",
     0x3fddb3d7, 1, 1},
    {"  a = f32[2,2] constant({{3, 0}, {1, 2}})\n"
     "  ROOT r = f32[2,2] cholesky(a), lower=true",
     0x3f13cd3a, 2},
    {"  a = f32[1,1] constant({{3}})\n  b = f32[1,1] constant({{1}})\n"
     "  ROOT r = f32[1,1] triangular-solve(a, b), left_side=true, lower=true",
     0x3eaaaaab, 0},
    {"  x = f32[1,1] constant({{1}})\n  one = f32[1] constant({1})\n"
     "  zero = f32[1] constant({0})\n  three = f32[1] constant({3})\n"
     "  ROOT r = f32[1,1] batch-norm-inference(x, one, zero, zero, three), "
     "epsilon=0, feature_index=1",
     0x3f13cd3a, 0},
};

TEST(ExpectLevels, AskForTheExactResultRoundedOnceInExactAlone) {
  for (const Bounded& row : kBounded) {
    const Codes codes = {row.code - 1, row.code, row.code + 1};
    EXPECT_EQ(held(under("exact", row.text), codes, row.part, row.element),
              Codes{row.code})
        << row.text;
    for (const char* level : {"cr", "faithful", "tight"}) {
      EXPECT_EQ(held(under(level, row.text), codes, row.part, row.element),
                codes)
          << row.text;
    }
  }
}

// Without NaN a zero may stand for it, of either sign.
TEST(ExpectLevels, LeaveTheSignOfZerosOpenThatMayBeNan) {
  const ArraySet set =
      under("exact",
            "  a = f4e2m1fn[1,1] constant({{-1}})\n"
            "  ROOT r = f4e2m1fn[1,1] cholesky(a), lower=true");
  const ValueSet own = set.at(0);
  EXPECT_TRUE(own.contains(0, ElementType::kF4E2M1FN));
  EXPECT_TRUE(own.contains(8, ElementType::kF4E2M1FN));
  EXPECT_FALSE(own.contains(1, ElementType::kF4E2M1FN));
}

}  // namespace
}  // namespace hlo::conformance
