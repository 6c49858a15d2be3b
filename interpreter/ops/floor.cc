// spec/ops/floor.md
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Floor {
  static double real(double x) { return std::floor(x); }
};

}  // namespace

extern constinit const Op op_floor = elementwise<Floor>("floor");

}  // namespace hlo
