// spec/ops/round_nearest_even.md
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct RoundNearestEven {
  // The rounding mode is never changed: ties to even.
  static double real(double x) { return std::nearbyint(x); }
};

}  // namespace

extern constinit const Op op_round_nearest_even =
    elementwise<RoundNearestEven>("round-nearest-even");

}  // namespace hlo
