#include <gtest/gtest.h>

#include <string>

#include "conformance/expect/expect_module.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// The set of a dot of two types, the numbers of which are operands.
ArraySet set_of_dot(const std::string& lhs, const std::string& rhs,
                    const std::string& result, const std::string& profile) {
  const Module module = verified_module(
      "HloModule m\n\nENTRY main {\n  x = " + lhs + "\n  y = " + rhs +
      "\n  ROOT r = " + result +
      "[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n}\n");
  return std::get<ArraySet>(
      expect_module(module, {}, nullptr, parse_profile("tight" + profile))
          .at(0));
}

std::string numbers(const std::string& type, const std::string& values) {
  return type + "[2] constant({" + values + "})";
}

bool may_be_nan(const std::string& x, const std::string& y,
                const std::string& profile) {
  return set_of_dot(numbers("f32", x), numbers("f32", y), "f32", profile)
      .at(0)
      .has_nan();
}

constexpr const char* kDaz = ",subnormals=daz";
constexpr const char* kFtz = ",subnormals=ftz";

// 1.4e-39 is subnormal, 1.2e-38 is normal; 0 times infinity is NaN.
TEST(FlushedFactors, MakeNanOfAnInfinityWhereOperandsMayBeZero) {
  for (const char* const x : {"1.4e-39, 1", "-1.4e-39, 1"}) {
    const std::string infinity = "inf, 1";
    EXPECT_TRUE(may_be_nan(x, infinity, kDaz)) << x;
    EXPECT_TRUE(may_be_nan(infinity, x, ",subnormals=daz+ftz")) << x;
    EXPECT_FALSE(may_be_nan(x, infinity, kFtz)) << x;
    EXPECT_FALSE(may_be_nan(x, infinity, "")) << x;
  }
  EXPECT_TRUE(may_be_nan("1, 1.4e-39", "1, inf", kDaz));
  EXPECT_FALSE(may_be_nan("1.2e-38, 1", "inf, inf", kDaz));
  EXPECT_FALSE(may_be_nan("1.4e-39, 1", "3e38, inf", kDaz));
  EXPECT_FALSE(may_be_nan("1.4e-39, inf", "1, 1", kDaz));
}

// 1e-40 is normal in f64 and subnormal in f32; 1e300 is a number there.
TEST(FlushedFactors, MayBeSubnormalOrInfiniteOnceTheyAreConverted) {
  const auto may_be_nan = [](const std::string& x, const std::string& y,
                             const std::string& profile) {
    return set_of_dot(numbers("f64", x), numbers("f32", y), "f32", profile)
        .at(0)
        .has_nan();
  };
  EXPECT_TRUE(may_be_nan("1e-40, 1", "inf, 1", kFtz));
  EXPECT_TRUE(may_be_nan("1e-40, 1", "inf, 1", kDaz));
  EXPECT_FALSE(may_be_nan("1e-40, 1", "inf, 1", ""));
  EXPECT_TRUE(may_be_nan("1e300, 1", "1e-40, 1", kDaz));
  EXPECT_FALSE(may_be_nan("1e300, 1", "1e-40, 1", kFtz));
}

// (a + 0.5i) (inf + 2i) has the real part a inf - 1 and the imaginary part
// 2 a + 0.5 inf.
TEST(FlushedFactors, MakeNanOfPartsThatTheyBelongTo) {
  const auto has_nan = [](const std::string& x, int64_t part) {
    const ArraySet set = set_of_dot("c64[1] constant({" + x + "})",
                                    "c64[1] constant({(inf, 2)})", "c64", kDaz);
    return set.at(0, static_cast<int>(part)).has_nan();
  };
  EXPECT_TRUE(has_nan("(1e-40, 0.5)", 0));
  EXPECT_FALSE(has_nan("(1e-40, 0.5)", 1));
  EXPECT_FALSE(has_nan("(0.5, 1e-40)", 0));
  EXPECT_TRUE(has_nan("(0.5, 1e-40)", 1));
}

// Zero stands for the NaN of f4e2m1fn: infinity, which is 6 there, may be it.
TEST(FlushedFactors, MakeZeroOfFormatsWithoutNan) {
  const ArraySet set = set_of_dot(numbers("f32", "1e-40, 0"),
                                  numbers("f32", "inf, 1"), "f4e2m1fn", kDaz);
  EXPECT_TRUE(set.at(0).contains(0, ElementType::kF4E2M1FN));
}

/// The set of a product of two numbers with a scale each.
bool scaled_may_be_nan(const std::string& a, const std::string& b,
                       const std::string& s, const std::string& t,
                       const std::string& profile) {
  const auto one = [](const std::string& x) {
    return " = f32[1,1] constant({{" + x + "}})\n";
  };
  const Module module = verified_module(
      "HloModule m\n\nENTRY main {\n  a" + one(a) + "  b" + one(b) + "  s" +
      one(s) + "  t" + one(t) +
      "  ROOT r = f32[1,1] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}\n}\n");
  return std::get<ArraySet>(
             expect_module(module, {}, nullptr, parse_profile(profile)).at(0))
      .at(0)
      .has_nan();
}

TEST(FlushedFactors, AndTheirScalesMakeNan) {
  const std::string daz = "tight,subnormals=daz";
  const std::string ftz = "tight,subnormals=ftz";
  EXPECT_TRUE(scaled_may_be_nan("1e-40", "inf", "1", "1", daz));
  EXPECT_TRUE(scaled_may_be_nan("1", "inf", "1e-40", "1", daz));
  EXPECT_TRUE(scaled_may_be_nan("1", "1", "1e-40", "inf", daz));
  EXPECT_TRUE(scaled_may_be_nan("1e-40", "1", "inf", "1", daz));
  EXPECT_FALSE(scaled_may_be_nan("1e-40", "1", "inf", "1", ftz));
  // 1e-30 times 1e-10 is subnormal.
  EXPECT_TRUE(scaled_may_be_nan("1e-30", "inf", "1e-10", "1", ftz));
  EXPECT_FALSE(scaled_may_be_nan("1e-30", "inf", "1", "1", daz));
  EXPECT_FALSE(scaled_may_be_nan("1e-40", "inf", "1", "1", "tight"));
}

}  // namespace
}  // namespace hlo::conformance
