// spec/ops/cbrt.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Cbrt {
  static constexpr std::string_view kFormula = "the cube root of {0}";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);

  static constexpr numeric::Function kFunction = numeric::Function::kCbrt;
};

}  // namespace

extern constinit const Op op_cbrt =
    elementwise<Cbrt>("cbrt", rounded(), kResultAccuracy);

}  // namespace hlo
