// spec/ops/round_nearest_afz.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct RoundNearestAfz {
  static auto real(auto x) { return round(x); }
};

}  // namespace

extern constinit const Op op_round_nearest_afz =
    elementwise<RoundNearestAfz>("round-nearest-afz");

}  // namespace hlo
