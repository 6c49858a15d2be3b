// spec/ops/logistic.md
#include "interpreter/elementwise.h"

namespace hlo {
namespace {

struct Logistic {
  static constexpr numeric::Function function = numeric::Function::kLogistic;

  static constexpr numeric::ComplexFunction complex_function =
      numeric::ComplexFunction::kLogistic;
};

}  // namespace

extern constinit const Op op_logistic =
    elementwise<Logistic>("logistic", rounded(3, 3), kResultAccuracy);

}  // namespace hlo
