// spec/ops/ceil.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Ceil {
  static auto real(auto x) { return ceil(x); }
};

}  // namespace

extern constinit const Op op_ceil = elementwise<Ceil>("ceil");

}  // namespace hlo
