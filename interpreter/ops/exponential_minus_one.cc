// spec/ops/exponential_minus_one.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ExponentialMinusOne {
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
