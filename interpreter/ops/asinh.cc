// spec/ops/asinh.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Asinh {
  static constexpr std::string_view kTarget = "chlo.asinh";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);

  static constexpr numeric::Function kFunction = numeric::Function::kAsinh;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAsinh;
};

}  // namespace

extern constinit const Op op_asinh =
    elementwise<Asinh>("asinh", rounded(), kResultAccuracy);

}  // namespace hlo
