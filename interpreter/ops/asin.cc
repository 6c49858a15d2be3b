// spec/ops/asin.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Asin {
  static constexpr std::string_view kTarget = "chlo.asin";
  static constexpr Behaviour kBehaviour = monotone(kOnUnit);
  static constexpr ResultRange kRange = {-kAboveHalfPi, kAboveHalfPi};

  static constexpr numeric::Function kFunction = numeric::Function::kAsin;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAsin;
};

}  // namespace

extern constinit const Op op_asin =
    elementwise<Asin>("asin", rounded(), kResultAccuracy);

}  // namespace hlo
