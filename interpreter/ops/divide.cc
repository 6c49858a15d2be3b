// spec/ops/divide.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Divide {
  static constexpr std::string_view kFormula = "{0} / {1}";
  static constexpr Behaviour kBehaviour = monotone(kOnHalves);
  static constexpr Arithmetic kArithmetic = Arithmetic::kQuotient;

  // Division by zero gives all ones, that is -1 for signed types. Division by
  // -1 is negation, which wraps where the hardware's division would trap.
  template <class Integer>
  static Integer integer(Integer a, Integer b, IntegerType type) {
    if (b == 0) return static_cast<Integer>(-1);
    return type.is_signed && b + 1 == 0 ? -a : a / b;
  }

  static auto real(auto a, auto b) { return a / b; }

  static constexpr numeric::ComplexFunction2 kComplexFunction2 =
      numeric::ComplexFunction2::kDivide;
};

}  // namespace

extern constinit const Op op_divide =
    elementwise<Divide>("divide", {.complex_units = 8});

}  // namespace hlo
