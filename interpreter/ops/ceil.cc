// spec/ops/ceil.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Ceil {
  static constexpr std::string_view kFormula =
      "the least integer that is at least {0}";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);

  static auto real(auto x) { return ceil(x); }
};

}  // namespace

extern constinit const Op op_ceil = elementwise<Ceil>("ceil");

}  // namespace hlo
