// spec/ops/logistic.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Logistic {
  static constexpr std::string_view kFormula = "1 / (1 + e^-{0})";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);
  static constexpr ResultRange kRange = {0, 1};

  static constexpr numeric::Function kFunction = numeric::Function::kLogistic;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kLogistic;
};

}  // namespace

extern constinit const Op op_logistic =
    elementwise<Logistic>("logistic", rounded(), kResultAccuracy);

}  // namespace hlo
