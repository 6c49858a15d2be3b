// spec/ops/maximum.md
#include <bit>
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Maximum {
  static constexpr Reducer kReducer = Reducer::kMaximum;

  static bool pred(bool a, bool b) { return a || b; }

  static uint64_t integer(uint64_t a, uint64_t b, IntegerType type) {
    const bool first = type.is_signed
                           ? static_cast<int64_t>(a) > static_cast<int64_t>(b)
                           : a > b;
    return first ? a : b;
  }

  // -0 < +0; NaN if either is NaN (IEEE 754-2019 maximum).
  static double real(double a, double b) {
    const auto equal = std::bit_cast<double>(std::bit_cast<uint64_t>(a) &
                                             std::bit_cast<uint64_t>(b));
    const double larger = a > b ? a : b;
    const double number = a == b ? equal : larger;
    return std::isnan(a) ? a : number;
  }
};

}  // namespace

extern constinit const Op op_maximum = elementwise<Maximum>("maximum");

}  // namespace hlo
