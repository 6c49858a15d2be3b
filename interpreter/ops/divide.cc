// spec/ops/divide.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Divide {
  // Division by zero gives all ones, that is -1 for signed types. Division by
  // -1 is negation, which wraps where the hardware's division would trap.
  static uint64_t integer(uint64_t a, uint64_t b, IntegerType type) {
    if (b == 0) return ~uint64_t{0};
    if (!type.is_signed) return a / b;
    if (b == ~uint64_t{0}) return 0 - a;
    return static_cast<uint64_t>(static_cast<int64_t>(a) /
                                 static_cast<int64_t>(b));
  }

  static double real(double a, double b) { return a / b; }

  static constexpr numeric::ComplexFunction2 kComplexFunction2 =
      numeric::ComplexFunction2::kDivide;
};

}  // namespace

extern constinit const Op op_divide =
    elementwise<Divide>("divide", {.complex_units = 8});

}  // namespace hlo
