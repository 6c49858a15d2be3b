// spec/ops/exponential.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Exponential {
  static constexpr std::string_view kFormula = "e^{0}";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);
  static constexpr ResultRange kRange = {0, kEndless};

  static constexpr numeric::Function kFunction =
      numeric::Function::kExponential;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kExponential;
};

}  // namespace

extern constinit const Op op_exponential =
    elementwise<Exponential>("exponential", rounded(), kResultAccuracy);

}  // namespace hlo
