// spec/ops/round_nearest_even.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct RoundNearestEven {
  static constexpr std::string_view kFormula =
      "the integer nearest to {0}, ties to even";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);

  // The rounding mode is never changed: ties to even.
  static auto real(auto x) { return nearbyint(x); }
};

}  // namespace

extern constinit const Op op_round_nearest_even =
    elementwise<RoundNearestEven>("round-nearest-even");

}  // namespace hlo
