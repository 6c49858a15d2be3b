// spec/ops/round_nearest_afz.md
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct RoundNearestAfz {
  static double real(double x) { return std::round(x); }
};

}  // namespace

extern constinit const Op op_round_nearest_afz =
    elementwise<RoundNearestAfz>("round-nearest-afz");

}  // namespace hlo
