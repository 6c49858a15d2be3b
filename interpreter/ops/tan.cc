// spec/ops/tan.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Tan {
  static constexpr std::string_view kTarget = "chlo.tan";
  static constexpr Behaviour kBehaviour = {Behaviour::Kind::kTangent, kOnAll};

  static constexpr numeric::Function kFunction = numeric::Function::kTan;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kTan;
};

}  // namespace

extern constinit const Op op_tan =
    elementwise<Tan>("tan", rounded(), kResultAccuracy);

}  // namespace hlo
