// spec/ops/logistic.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Logistic {
  static constexpr numeric::Function kFunction = numeric::Function::kLogistic;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kLogistic;
};

}  // namespace

extern constinit const Op op_logistic =
    elementwise<Logistic>("logistic", rounded(), kResultAccuracy);

}  // namespace hlo
