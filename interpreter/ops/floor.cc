// spec/ops/floor.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Floor {
  static auto real(auto x) { return floor(x); }
};

}  // namespace

extern constinit const Op op_floor = elementwise<Floor>("floor");

}  // namespace hlo
