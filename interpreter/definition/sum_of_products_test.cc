#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

/// The dot of two constants of two elements, by its definition.
Literal dot(const std::string& type, const std::string& x,
            const std::string& y) {
  const Module module = verified_module(
      "HloModule m\nENTRY e {\n  x = " + type + "[2] constant(" + x +
      ")\n  y = " + type + "[2] constant(" + y + ")\n  ROOT r = " + type +
      "[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n}\n");
  return evaluate(module, {}, {.plans = PlanSet::none()});
}

TEST(SumOfProducts, AddsProductsInEachClassOfTypes) {
  struct Case {
    std::string type, x, y, expected;
  };

  for (const Case& c : {
           Case{"s8", "{3, -5}", "{7, 2}", "11"},
           // 200 * 2 + 3 = 403 = 147 modulo 256
           Case{"u8", "{200, 1}", "{2, 3}", "147"},
           Case{"pred", "{true, false}", "{false, true}", "false"},
           Case{"pred", "{true, false}", "{true, true}", "true"},
           Case{"f32", "{1.5, -2}", "{4, 0.25}", "5.5"},
           // (2 + 3i) (5 + 7i) = -11 + 29i, (1 - 4i) (6 + 0.5i) = 8 - 23.5i
           Case{"c64", "{(2, 3), (1, -4)}", "{(5, 7), (6, 0.5)}", "(-3, 5.5)"},
       }) {
    EXPECT_TRUE(
        identical(dot(c.type, c.x, c.y),
                  text::parse_literal_with_shape(c.type + "[] " + c.expected)))
        << c.type << c.x << c.y;
  }
}

}  // namespace
}  // namespace hlo
