// spec/ops/maximum.md

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Maximum {
  static constexpr std::string_view kFormula = "the larger of {0} and {1}";
  static constexpr Behaviour kBehaviour = monotone_on_integers(kOnAll);

  static constexpr Reducer kReducer = Reducer::kMaximum;

  static bool pred(bool a, bool b) { return a || b; }

  static auto integer(auto a, auto b, IntegerType) { return a > b ? a : b; }

  // -0 < +0; NaN if either is NaN (IEEE 754-2019 maximum).
  template <class Real>
  static Real real(Real a, Real b) {
    if (isnan(a) || isnan(b)) return a + b;
    if (a == b) return signbit(a) ? b : a;
    return a > b ? a : b;
  }
};

}  // namespace

extern constinit const Op op_maximum = elementwise<Maximum>("maximum");

}  // namespace hlo
