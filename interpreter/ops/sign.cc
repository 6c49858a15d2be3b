// spec/ops/sign.md
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Sign {
  static constexpr bool kSignedOnly = true;

  static uint64_t integer(uint64_t x, IntegerType) {
    if (x == 0) return 0;
    return static_cast<int64_t>(x) < 0 ? ~uint64_t{0} : 1;
  }

  static double real(double x) {
    return x == 0 || std::isnan(x) ? x : std::copysign(1.0, x);
  }

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kSign;
};

}  // namespace

extern constinit const Op op_sign =
    elementwise<Sign>("sign", {.complex_units = 8});

}  // namespace hlo
