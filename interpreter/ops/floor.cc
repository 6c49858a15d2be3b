// spec/ops/floor.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Floor {
  static constexpr std::string_view kFormula =
      "the largest integer that is at most {0}";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);

  static auto real(auto x) { return floor(x); }
};

}  // namespace

extern constinit const Op op_floor = elementwise<Floor>("floor");

}  // namespace hlo
