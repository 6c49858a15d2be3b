#include "conformance/expect/open_nans.h"

#include <gtest/gtest.h>

#include <string>

#include "conformance/expect/expect_module.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

// A NaN that is computed has any sign and payload, also where it was moved.
constexpr uint64_t kNan = 0x7fc00000;
constexpr uint64_t kOther = 0xffc00001;
constexpr uint64_t kThird = 0x7fc12345;
constexpr uint64_t kSignaling = 0x7f800001;

/// `s` is NaN and 2, which are computed; `k` is a NaN, 1 and 2.
Expectation set_of(const std::string& lines, const std::string& before = "") {
  const Module module = verified_module("HloModule m\n\n" + before +
                                        "ENTRY main {\n"
                                        "  a = f32[2] constant({inf, 1})\n"
                                        "  b = f32[2] constant({-inf, 1})\n"
                                        "  s = f32[2] add(a, b)\n"
                                        "  k = f32[2] constant({nan, 1})\n" +
                                        lines + "}\n");
  return expect_module(module, {}).at(0);
}

void expect_any_nan(const Expectation& set, int64_t i) {
  const ValueSet found = std::get<ArraySet>(set).at(i);
  for (const uint64_t code : {kNan, kOther, kThird}) {
    EXPECT_TRUE(found.contains(code, ElementType::kF32)) << code;
  }
  EXPECT_FALSE(found.contains(kSignaling, ElementType::kF32));
  EXPECT_FALSE(found.has_numbers());
}

void expect_only(const Expectation& set, int64_t i, uint64_t code) {
  EXPECT_EQ(std::get<ArraySet>(set).at(i),
            ValueSet::of(code, ElementType::kF32));
}

TEST(OpenNans, AreMoved) {
  const Expectation set = set_of("  ROOT r = f32[2,1] reshape(s)\n");
  expect_any_nan(set, 0);
  expect_only(set, 1, 0x40000000);
}

TEST(OpenNans, AreMovedTwice) {
  expect_any_nan(set_of("  t = f32[2,1] reshape(s)\n"
                        "  ROOT r = f32[2,1] reverse(t), dimensions={0}\n"),
                 1);
}

TEST(OpenNans, AreNotThoseOfConstants) {
  const Expectation set =
      set_of("  ROOT r = f32[4] concatenate(s, k), dimensions={0}\n");
  expect_any_nan(set, 0);
  expect_only(set, 2, kNan);
}

TEST(OpenNans, ComeThroughCalls) {
  expect_any_nan(set_of("  ROOT r = f32[2,1] call(s), to_apply=f\n",
                        "f {\n  x = f32[2] parameter(0)\n"
                        "  ROOT y = f32[2,1] reshape(x)\n}\n\n"),
                 0);
}

TEST(OpenNans, ComeOutOfTuples) {
  expect_any_nan(set_of("  t = (f32[2], f32[2]) tuple(k, s)\n"
                        "  g = f32[2] get-tuple-element(t), index=1\n"
                        "  ROOT r = f32[2] copy(g)\n"),
                 0);
}

TEST(OpenNans, AreChosen) {
  const Expectation set = set_of(
      "  p = pred[2] constant({false, true})\n"
      "  ROOT r = f32[2] select(p, k, s)\n");
  expect_any_nan(set, 0);
  expect_only(set, 1, 0x3f800000);
}

TEST(OpenNans, HaveNoBits) {
  for (const char* root :
       {"u32[2] bitcast-convert(s)",
        "pred[2] compare(s, k), direction=EQ, type=TOTALORDER"}) {
    EXPECT_TRUE(std::holds_alternative<UnspecifiedSet>(
        set_of(std::string("  ROOT r = ") + root + "\n")))
        << root;
  }
}

TEST(OpenNans, AreNumbersOfNoOtherKind) {
  for (const char* root : {"pred[2] compare(s, k), direction=NE",
                           "s32[2] convert(s)", "pred[2] is-finite(s)"}) {
    EXPECT_TRUE(is_single(set_of(std::string("  ROOT r = ") + root + "\n")))
        << root;
  }
}

// With payloads a sum has that of either operand, and so has what moves it or
// adds to it.
TEST(OpenNans, AreTwoWhereOperandsHaveThem) {
  for (const char* root : {"f32[1] reshape(s)", "f32[] multiply(s, s)"}) {
    const Module module = verified_module(
        "HloModule m\n\nENTRY main {\n"
        "  a = u32[] constant(2143289345)\n  b = u32[] constant(4290772994)\n"
        "  x = f32[] bitcast-convert(a)\n  y = f32[] bitcast-convert(b)\n"
        "  s = f32[] add(x, y)\n  ROOT r = " +
        std::string(root) + "\n}\n");
    const auto sets =
        expect_module(module, {}, nullptr, parse_profile("tight,nan=payload"));
    const ValueSet found = std::get<ArraySet>(sets.at(0)).at(0);
    for (const uint64_t code : {0x7fc00001U, 0xffc00002U}) {
      EXPECT_TRUE(found.contains(code, ElementType::kF32)) << root << code;
    }
    for (const uint64_t code : {0x7fc00002U, 0x7fc00000U}) {
      EXPECT_FALSE(found.contains(code, ElementType::kF32)) << root << code;
    }
  }
}

// A sort that puts NaNs by their signs has them at one end or the other.
TEST(OpenNans, HaveNoPlaceInATotalOrder) {
  const Expectation set = set_of(
      "  ROOT r = f32[2] sort(s), dimensions={0}, to_apply=less\n",
      "less {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n"
      "  ROOT z = pred[] compare(x, y), direction=LT, type=TOTALORDER\n}\n\n");
  EXPECT_TRUE(std::holds_alternative<UnspecifiedSet>(set));
}

TEST(OpenNans, AreNoneWhereTheyAreCanonical) {
  const Module module = verified_module(
      "HloModule m\n\nENTRY main {\n  a = f32[] constant(inf)\n"
      "  s = f32[] subtract(a, a)\n  ROOT r = f32[1] reshape(s)\n}\n");
  const auto sets =
      expect_module(module, {}, nullptr, parse_profile("tight,nan=canonical"));
  expect_only(sets.at(0), 0, kNan);
}

}  // namespace
}  // namespace hlo::conformance
