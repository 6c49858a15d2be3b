// spec/ops/acosh.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Acosh {
  static constexpr std::string_view kTarget = "chlo.acosh";
  static constexpr Behaviour kBehaviour = monotone(kFromOne);
  static constexpr ResultRange kRange = {0, kEndless};

  static constexpr numeric::Function kFunction = numeric::Function::kAcosh;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAcosh;
};

}  // namespace

extern constinit const Op op_acosh =
    elementwise<Acosh>("acosh", rounded(), kResultAccuracy);

}  // namespace hlo
