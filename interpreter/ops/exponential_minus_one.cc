// spec/ops/exponential_minus_one.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ExponentialMinusOne {
  static constexpr std::string_view kFormula = "e^{0} - 1";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);
  static constexpr ResultRange kRange = {-1, kEndless};

  static constexpr numeric::Function kFunction =
      numeric::Function::kExponentialMinusOne;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kExponentialMinusOne;
};

}  // namespace

extern constinit const Op op_exponential_minus_one =
    elementwise<ExponentialMinusOne>("exponential-minus-one", rounded(),
                                     kResultAccuracy);

}  // namespace hlo
