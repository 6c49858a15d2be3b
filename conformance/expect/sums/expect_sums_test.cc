#include <gtest/gtest.h>

#include <string>

#include "conformance/expect/expect_module.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using enum ElementType;

/// The set of the result of a program whose constants are its operands.
ArraySet set_of(const std::string& text, const std::string& profile = "tight") {
  const Module module = verified_module("HloModule m\n\n" + text);
  return std::get<ArraySet>(
      expect_module(module, {}, nullptr, parse_profile(profile)).at(0));
}

// 3 2^-24 + 5 2^-24 needs no rounding, in f32 neither; flushed it does.
TEST(ExpectSums, FindsExactDotsOfSubnormalNumbers) {
  const std::string text =
      "ENTRY main {\n  x = f16[2] constant({1.78813934326171875e-7, 2.98023223876953125e-7})\n"
      "  y = f16[2] constant({1, 3})\n"
      "  ROOT r = f16[] dot(x, y), lhs_contracting_dims={0}, "
      "rhs_contracting_dims={0}\n}\n";
  for (const char* profile : {"tight", "tight,accumulation=strict-out",
                              "tight,accumulation=f32-rn"}) {
    EXPECT_TRUE(set_of(text, profile).at(0).is_single()) << profile;
  }
  EXPECT_FALSE(set_of(text, "tight,subnormals=daz").at(0).is_single());
}

}  // namespace
}  // namespace hlo::conformance
