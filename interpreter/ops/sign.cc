// spec/ops/sign.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Sign {
  static constexpr std::string_view kFormula =
      "-1, 0 or 1, as {0} is negative, zero or positive";
  static constexpr Behaviour kBehaviour = monotone_on_integers(kOnAll);

  static constexpr bool kSignedOnly = true;

  template <class Integer>
  static Integer integer(Integer x, IntegerType) {
    return (x > 0) - (x < 0);
  }

  template <class Real>
  static Real real(Real x) {
    return isnan(x) || x == 0 ? x : copysign(Real(1), x);
  }

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kSign;
};

}  // namespace

extern constinit const Op op_sign =
    elementwise<Sign>("sign", {.complex_units = 8});

}  // namespace hlo
