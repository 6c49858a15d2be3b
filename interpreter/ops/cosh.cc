// spec/ops/cosh.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Cosh {
  static constexpr std::string_view kTarget = "chlo.cosh";
  static constexpr Behaviour kBehaviour = monotone(kOnHalves);
  static constexpr ResultRange kRange = {1, kEndless};

  static constexpr numeric::Function kFunction = numeric::Function::kCosh;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kCosh;
};

}  // namespace

extern constinit const Op op_cosh =
    elementwise<Cosh>("cosh", rounded(), kResultAccuracy);

}  // namespace hlo
