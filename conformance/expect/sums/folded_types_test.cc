#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "conformance/expect/expect_module.h"
#include "conformance/levels/profile_text.h"
#include "conformance/sets/component_range.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using enum ElementType;

/// The types of what is folded, of the region and of the result.
struct Types {
  std::string operand;
  std::string region;
  std::string result;
};

std::string region_of(const Types& types, const std::string& operation) {
  return "HloModule m\n\nf {\n  a = " + types.region +
         "[] parameter(0)\n  b = " + types.region +
         "[] parameter(1)\n  ROOT r = " + types.region + "[] " + operation +
         "(a, b)\n}\n\n";
}

ValueSet set_of_result(const std::string& text) {
  const Module module = verified_module(text);
  return std::get<ArraySet>(
             expect_module(module, {}, nullptr, parse_profile("tight")).at(0))
      .at(0);
}

/// The set of a reduce of three numbers and an initial one.
ValueSet folded(const Types& types, const std::string& operation,
                const std::string& numbers, const std::string& initial) {
  return set_of_result(
      region_of(types, operation) + "ENTRY main {\n  x = " + types.operand +
      "[3] constant({" + numbers + "})\n  i = " + types.operand +
      "[] constant(" + initial + ")\n  ROOT r = " + types.result +
      "[] reduce(x, i), dimensions={0}, to_apply=f\n" + "}\n");
}

bool is_in(const ValueSet& set, double value, ElementType type) {
  return set.contains(numeric::encode(value, numeric::format(type)), type);
}

// Each step in bf16 is a tie: 1 + 2^-8 is 1, 2^-8 + 2^-8 + 1 is 1 + 2^-7, and
// (2^-8 + 2^-8) + (2^-8 + 1) is as well. Of the error's 2 2^-8 A (1 + 2^-6)
// nothing more than that is admitted.
TEST(FoldedTypes, AddInTheTypeOfTheRegion) {
  const ValueSet set =
      folded({"f32", "bf16", "f32"}, "add", "1, 0.00390625, 0.00390625", "0");
  for (const double right : {1.0, 1.0078125}) {
    EXPECT_TRUE(is_in(set, right, kF32)) << right;
  }
  EXPECT_FALSE(is_in(set, 0.992, kF32));
  EXPECT_FALSE(is_in(set, 1.024, kF32));
}

// The sum s of these is 1 + 2^-7, and E is 2 2^-8 s (1 + 2^-6): the result's
// codes from 0.99982 on count, of bf16 those from 1 on.
TEST(FoldedTypes, HaveTheCodesOfTheResultWithinTheErrorOfTheRegion) {
  const ValueSet set =
      folded({"bf16", "bf16", "f32"}, "add", "1, 0.00390625, 0.00390625", "0");
  EXPECT_TRUE(is_in(set, 0.9999, kF32));
  EXPECT_FALSE(is_in(set, 0.9998, kF32));
}

// Each step in bf16 is a tie, and the numbers are read as f16 or as they are.
TEST(FoldedTypes, AddInTheTypeOfTheResult) {
  EXPECT_TRUE(is_in(
      folded({"f32", "f32", "bf16"}, "add", "1, 0.00390625, 0.00390625", "0"),
      1, kBF16));
  const ValueSet far =
      folded({"f32", "f32", "f16"}, "add", "1e5, -1e5, 1", "0");
  EXPECT_TRUE(far.has_nan());
  EXPECT_TRUE(is_in(far, 1, kF16));
  // The least f16 is 6e-8: 2.9e-8 is 0, and 8.7e-8 is 6e-8.
  const ValueSet small =
      folded({"f32", "f32", "f16"}, "add", "2.9e-8, 2.9e-8, 2.9e-8", "0");
  EXPECT_TRUE(is_in(small, 0, kF16));
  EXPECT_TRUE(is_in(small, 6e-8, kF16));
}

// 1.01^3 is 1.030301; in bf16, 1.01 is 1.0078125, and two products of it are
// 1.015625 and 1.0234375.
TEST(FoldedTypes, MultiplyInTheTypeOfTheRegion) {
  const ValueSet set =
      folded({"f32", "bf16", "f32"}, "multiply", "1.01, 1.01, 1.01", "1");
  // Three products and three conversions: 2 ((1 + 2^-8)^6 - 1) of it are
  // 0.0488.
  for (const double right : {0.982, 1.0234375, 1.030301, 1.0390625, 1.079}) {
    EXPECT_TRUE(is_in(set, right, kF32)) << right;
  }
  EXPECT_FALSE(is_in(set, 0.981, kF32));
  EXPECT_FALSE(is_in(set, 1.1, kF32));
}

// No rounding makes NaN of -2, as f8e8m0fnu does.
TEST(FoldedTypes, AdmitAnyProductOfFactorsThatConversionChanges) {
  const ValueSet set =
      folded({"f32", "f8e8m0fnu", "f32"}, "multiply", "-2, 2, 1", "1");
  EXPECT_TRUE(is_in(set, -4, kF32));
  EXPECT_TRUE(is_in(set, 100, kF32));
  EXPECT_TRUE(set.has_nan());
}

// As f32, 1e39 is inf; as they are, the numbers add up to 1.
TEST(FoldedTypes, ReadNumbersThatOverflowBothWays) {
  const ValueSet set =
      folded({"f64", "f32", "f32"}, "add", "1e39, -1e39, 1", "0");
  EXPECT_TRUE(set.has_nan());
  EXPECT_TRUE(is_in(set, 1, kF32));
  EXPECT_FALSE(is_in(set, 1e33, kF32));
  const ValueSet near = folded({"f64", "f32", "f32"}, "add", "3, -2, 1", "0");
  EXPECT_EQ(near.ranges().size(), 1U);
  EXPECT_FALSE(near.has_nan());
}

// 80000 overflows in f16, and not in what is finer.
TEST(FoldedTypes, OverflowInTheTypeOfTheRegion) {
  const ValueSet set =
      folded({"f32", "f16", "f32"}, "add", "40000, 40000, 0", "0");
  EXPECT_TRUE(is_in(set, HUGE_VAL, kF32));
  EXPECT_TRUE(is_in(set, 80000, kF32));
  EXPECT_FALSE(is_in(set, 79000, kF32));
  EXPECT_FALSE(set.has_nan());
  const ValueSet product =
      folded({"f32", "f16", "f32"}, "multiply", "300, 300, 1", "1");
  EXPECT_TRUE(is_in(product, HUGE_VAL, kF32));
  EXPECT_TRUE(is_in(product, 90000, kF32));
}

// A sum goes on from 7.5, the largest number of f6e2m3fn.
TEST(FoldedTypes, SaturateInTheTypeOfTheRegion) {
  const ValueSet set =
      folded({"f32", "f6e2m3fn", "f32"}, "add", "7, 7, -7", "0");
  for (const double right : {0.5, 7.0}) {
    EXPECT_TRUE(is_in(set, right, kF32)) << right;
  }
  EXPECT_FALSE(is_in(set, 14, kF32));
}

// As f6e2m3fn, 192 is 7.5.
TEST(FoldedTypes, AddConvertedNumbersInTheTypeOfTheResult) {
  const ValueSet set =
      folded({"f32", "f6e2m3fn", "f32"}, "add", "-192, -192, 0", "0");
  for (const double right : {-7.5, -15.0, -384.0}) {
    EXPECT_TRUE(is_in(set, right, kF32)) << right;
  }
  EXPECT_FALSE(is_in(set, -100, kF32));
}

// 1.5 2^-24 is 2 2^-24 in f16, which has no number between.
TEST(FoldedTypes, RoundSubnormalNumbersOfTheRegion) {
  const ValueSet set = folded({"f64", "f16", "f64"}, "add",
                              "8.940696716308594e-08, 8.940696716308594e-08, "
                              "8.940696716308594e-08",
                              "0");
  for (const double right : {0x1.2p-22, 0x1p-22, 0x1.4p-22, 0x1.8p-22}) {
    EXPECT_TRUE(is_in(set, right, kF64)) << right;
  }
  EXPECT_FALSE(is_in(set, 0x1p-21, kF64));
}

TEST(FoldedTypes, UpdateInTheTypeOfTheRegion) {
  const ValueSet set = set_of_result(
      region_of({"f32", "bf16", "f32"}, "add") +
      "ENTRY main {\n  x = f32[1] constant({1})\n  i = s32[2,1] constant({{0}, "
      "{0}})\n  u = f32[2] constant({0.00390625, 0.00390625})\n  ROOT r = "
      "f32[1] scatter(x, i, u), update_window_dims={}, "
      "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
      "index_vector_dim=1, to_apply=f\n}\n");
  EXPECT_TRUE(is_in(set, 1, kF32));
  EXPECT_TRUE(is_in(set, 1.0078125, kF32));
  EXPECT_FALSE(is_in(set, 1.024, kF32));
}

// Between ends that are NaN in a type lies nothing, or every number.
TEST(FoldedTypes, ConvertRangesBeyondTheEndsOfAType) {
  const auto range = [](float low, float high) {
    return ValueSet::range(place_of(std::bit_cast<uint32_t>(low), kF32),
                           place_of(std::bit_cast<uint32_t>(high), kF32));
  };
  EXPECT_EQ(converted(range(-1000, 1000), kF32, kF8E4M3FN),
            ValueSet::everything(kF8E4M3FN));
  EXPECT_EQ(converted(range(500, 1000), kF32, kF8E4M3FN),
            ValueSet::any_quiet_nan());
  EXPECT_EQ(converted(range(-1000, -500), kF32, kF8E4M3FN),
            ValueSet::any_quiet_nan());
}

}  // namespace
}  // namespace hlo::conformance
