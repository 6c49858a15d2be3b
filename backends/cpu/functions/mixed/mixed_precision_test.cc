#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo::cpu {
namespace {

/// The codes of f8e8m0fnu that an operation makes of four f64.
std::string codes(const std::string& operation, const std::string& xs,
                  const std::string& ys) {
  const Module module = verified_module(
      "HloModule m\n\nENTRY main {\n  x = f64[4] constant({" + xs +
      "})\n  y = f64[4] constant({" + ys + "})\n  ROOT r = f8e8m0fnu[4] " +
      operation + "(x, y)\n}\n");
  const Outcome outcome = make_backend("cpu:")->run(module, {});
  const auto& bytes = std::get<std::vector<Buffer>>(outcome).at(0).bytes;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A type without a zero has 2^-127, code 0, for what is above zero, however
// small it is, and NaN, code 255, for what is not.
TEST(MixedPrecision, KeepsWhatIsTooSmallForF64AboveZero) {
  const std::string zero("\0", 1);
  EXPECT_EQ(codes("power", "1e-200, 0.5, 0, -1e-200", "2, inf, 3, 3"),
            zero + "\xff\xff\xff");
  EXPECT_EQ(codes("atan2", "1e-300, 0, 1, -1e-300", "1e300, 1, inf, 1e300"),
            zero + "\xff\xff\xff");
}

}  // namespace
}  // namespace hlo::cpu
