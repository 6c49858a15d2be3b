// spec/ops/clamp.md
#include <algorithm>
#include <cmath>

#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

double larger(double a, double b) {
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

double smaller(double a, double b) {
  return a < b || (a == b && std::signbit(a)) ? a : b;
}

// min(max, max(min, x)), so that max wins where min > max.
struct Clamp {
  static bool pred(bool min, bool x, bool max) { return (x || min) && max; }

  static uint64_t integer(uint64_t min, uint64_t x, uint64_t max,
                          IntegerType type) {
    if (!type.is_signed) return std::min(max, std::max(min, x));
    const auto low = static_cast<int64_t>(min);
    const auto high = static_cast<int64_t>(max);
    return static_cast<uint64_t>(
        std::min(high, std::max(low, static_cast<int64_t>(x))));
  }

  static double real(double min, double x, double max) {
    const bool any_nan = std::isnan(min) || std::isnan(x) || std::isnan(max);
    return any_nan ? std::nan("") : smaller(max, larger(min, x));
  }
};

constexpr Signature kSignature = loops::signature<Clamp>();

bool fits(const Shape& bound, const Shape& operand) {
  return bound.element_type == operand.element_type &&
         (bound.is_scalar() || same_dims(bound, operand));
}

Shape infer(const Instruction& clamp) {
  const Shape& operand = clamp.operand_shape(1);
  require(fits(clamp.operand_shape(0), operand) &&
              fits(clamp.operand_shape(2), operand),
          "clamp.C1",
          {"the bounds are ", clamp.operand_shape(0), " and ",
           clamp.operand_shape(2), " for the operand ", operand},
          "each bound must have its element type, and be a scalar or have its "
          "dimensions");
  require(kSignature.classes.contains(operand.element_type), "clamp.C2",
          {"the operand is ", operand}, kSignature.classes);
  Shape result = Shape::array(operand.element_type, operand.dims);
  for (size_t k = 0; k < 3; ++k) {
    add_dynamic_marks(result, clamp.operand_shape(k));
  }
  return result;
}

}  // namespace

extern constinit const Op op_clamp{.name = "clamp",
                                   .min_operands = 3,
                                   .max_operands = 3,
                                   .infer = infer,
                                   .kernel = pick_kernel<Clamp>};

}  // namespace hlo
