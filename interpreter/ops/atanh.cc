// spec/ops/atanh.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Atanh {
  static constexpr std::string_view kTarget = "chlo.atanh";
  static constexpr Behaviour kBehaviour = monotone(kOnUnit);

  static constexpr numeric::Function kFunction = numeric::Function::kAtanh;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAtanh;
};

}  // namespace

extern constinit const Op op_atanh =
    elementwise<Atanh>("atanh", rounded(), kResultAccuracy);

}  // namespace hlo
