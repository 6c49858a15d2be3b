// spec/ops/clamp.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

// The larger of two numbers; of two zeros it is the one with sign +.
template <class Number>
Number larger(Number a, Number b) {
  return a > b || (a == b && !signbit(a)) ? a : b;
}

template <class Number>
Number smaller(Number a, Number b) {
  return a < b || (a == b && signbit(a)) ? a : b;
}

// min(max, max(min, x)), so that max wins where min > max.
struct Clamp {
  static bool pred(bool min, bool x, bool max) { return (x || min) && max; }

  template <class Integer>
  static Integer integer(Integer min, Integer x, Integer max, IntegerType) {
    return std::min(max, std::max(min, x));
  }

  template <class Real>
  static Real real(Real min, Real x, Real max) {
    if (isnan(min) || isnan(x) || isnan(max)) return min + x + max;
    return smaller(max, larger(min, x));
  }
};

constexpr Signature kSignature = signature<Clamp>();

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

extern constinit const Op op_clamp{
    .name = "clamp",
    .min_operands = 3,
    .max_operands = 3,
    .infer = infer,
    .element = definition::element<Clamp>,
    .kernel = pick_kernel<Clamp>,
    .work = work_of_each<11>,
    .facts = {.formula = "min({2}, max({0}, {1}))",
              .exact = definition::exact<Clamp>,
              .behaviour = monotone_on_integers(kOnAll)}};

}  // namespace hlo
