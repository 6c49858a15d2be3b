// spec/ops/sinh.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Sinh {
  static constexpr std::string_view kTarget = "chlo.sinh";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);

  static constexpr numeric::Function kFunction = numeric::Function::kSinh;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kSinh;
};

}  // namespace

extern constinit const Op op_sinh =
    elementwise<Sinh>("sinh", rounded(), kResultAccuracy);

}  // namespace hlo
