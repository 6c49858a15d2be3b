// spec/ops/erf.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Erf {
  static constexpr std::string_view kTarget = "chlo.erf";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);
  static constexpr ResultRange kRange = {-1, 1};

  static constexpr numeric::Function kFunction = numeric::Function::kErf;
};

}  // namespace

extern constinit const Op op_erf =
    elementwise<Erf>("erf", rounded(), kResultAccuracy);

}  // namespace hlo
