// spec/ops/subtract.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Subtract {
  static constexpr std::string_view kFormula = "{0} - {1}";
  static constexpr Behaviour kBehaviour = monotone_on_integers(kOnAll);
  static constexpr Arithmetic kArithmetic = Arithmetic::kDifference;

  static auto integer(auto a, auto b, IntegerType) { return a - b; }

  static auto real(auto a, auto b) { return a - b; }

  static constexpr bool kComponentwise = true;
};

}  // namespace

extern constinit const Op op_subtract = elementwise<Subtract>("subtract");

}  // namespace hlo
