// spec/ops/minimum.md
#include <bit>
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Minimum {
  static bool pred(bool a, bool b) { return a && b; }

  static auto integer(auto a, auto b, IntegerType) { return a < b ? a : b; }

  // -0 < +0; NaN if either is NaN (IEEE 754-2019 minimum).
  template <class Real>
  static Real real(Real a, Real b) {
    if (isnan(a) || isnan(b)) return a + b;
    if (a == b) return signbit(a) ? a : b;
    return a < b ? a : b;
  }

  // The same with bits instead of branches.
  static double fast_real(double a, double b) {
    const auto equal = std::bit_cast<double>(std::bit_cast<uint64_t>(a) |
                                             std::bit_cast<uint64_t>(b));
    const double smaller = a < b ? a : b;
    const double number = a == b ? equal : smaller;
    return std::isnan(a) ? a : number;
  }
};

}  // namespace

extern constinit const Op op_minimum = elementwise<Minimum>("minimum");

}  // namespace hlo
