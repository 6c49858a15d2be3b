// spec/ops/is_finite.md
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct IsFinite {
  static bool real(double x) { return std::isfinite(x); }
};

}  // namespace

extern constinit const Op op_is_finite = elementwise<IsFinite>("is-finite");

}  // namespace hlo
