// spec/ops/acos.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Acos {
  static constexpr std::string_view kTarget = "chlo.acos";
  static constexpr Behaviour kBehaviour = monotone(kOnUnit);
  static constexpr ResultRange kRange = {0, kAbovePi};

  static constexpr numeric::Function kFunction = numeric::Function::kAcos;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAcos;
};

}  // namespace

extern constinit const Op op_acos =
    elementwise<Acos>("acos", rounded(), kResultAccuracy);

}  // namespace hlo
