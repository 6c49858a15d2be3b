// spec/ops/tanh.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Tanh {
  static constexpr Behaviour kBehaviour = monotone(kOnAll);
  static constexpr ResultRange kRange = {-1, 1};

  static constexpr numeric::Function kFunction = numeric::Function::kTanh;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kTanh;
};

}  // namespace

extern constinit const Op op_tanh =
    elementwise<Tanh>("tanh", rounded(), kResultAccuracy);

}  // namespace hlo
