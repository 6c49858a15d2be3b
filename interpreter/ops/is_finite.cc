// spec/ops/is_finite.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct IsFinite {
  static constexpr std::string_view kFormula =
      "whether {0} is neither infinite nor NaN";
  static constexpr Behaviour kBehaviour = {Behaviour::Kind::kFinite};

  static bool real(auto x) { return isfinite(x); }
};

}  // namespace

extern constinit const Op op_is_finite = elementwise<IsFinite>("is-finite");

}  // namespace hlo
