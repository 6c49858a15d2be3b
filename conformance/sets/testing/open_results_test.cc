#include "conformance/sets/open_results.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "conformance/levels/profile_text.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

struct Division {
  const char* type;
  Places dividend;
  Places divisor;
  bool open;
};

constexpr int64_t kLeast = -128;

// By zero, and of the least integer by -1, which in u8 is 255: spec/
// conformance.md, integer-division. Places of integers are their values.
constexpr Division kDivisions[] = {
    {"s8", {1, 5}, {0, 0}, true},
    {"s8", {1, 5}, {-3, 3}, true},
    {"s8", {1, 5}, {1, 3}, false},
    {"s8", {kLeast, 5}, {-1, -1}, true},
    {"s8", {kLeast + 1, 5}, {-1, -1}, false},
    {"s8", {kLeast, 5}, {-128, -2}, false},
    {"u8", {0, 255}, {255, 255}, false},
    {"u8", {0, 255}, {0, 255}, true},
};

TEST(OpenResults, OfDivisionsAreThoseOfTheirDivisors) {
  for (const std::string operation : {"divide", "remainder"}) {
    for (const auto& [type, dividend, divisor, open] : kDivisions) {
      const std::string shape = std::string(type) + "[]";
      const Module module = verified_module(
          "HloModule m\nENTRY e {\nx = " + shape +
          " parameter(0)\ny = " + shape + " parameter(1)\nROOT r = " + shape +
          " " + operation + "(x, y)\n}\n");
      const std::array operands = {ValueSet::range(dividend.low, dividend.high),
                                   ValueSet::range(divisor.low, divisor.high)};
      const auto is_open = [&](const char* profile) {
        return may_divide_openly(*module.entry->root, parse_profile(profile),
                                 operands);
      };
      EXPECT_EQ(is_open("tight,integer-division=any"), open)
          << operation << " " << type << " " << divisor.low;
      EXPECT_FALSE(is_open("tight"));
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
