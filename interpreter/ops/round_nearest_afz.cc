// spec/ops/round_nearest_afz.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct RoundNearestAfz {
  static constexpr std::string_view kFormula =
      "the integer nearest to {0}, ties away from zero";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);

  static auto real(auto x) { return round(x); }
};

}  // namespace

extern constinit const Op op_round_nearest_afz =
    elementwise<RoundNearestAfz>("round-nearest-afz");

}  // namespace hlo
