// spec/ops/atan2.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Atan2 {
  static constexpr Behaviour kBehaviour = monotone(kOnHalves);
  static constexpr ResultRange kRange = {-kAbovePi, kAbovePi};

  static constexpr numeric::Function2 kFunction2 = numeric::Function2::kAtan2;
  static constexpr numeric::ComplexFunction2 kComplexFunction2 =
      numeric::ComplexFunction2::kAtan2;
};

}  // namespace

extern constinit const Op op_atan2 = elementwise<Atan2>("atan2", rounded());

}  // namespace hlo
