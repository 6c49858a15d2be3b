// spec/ops/ceil.md
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Ceil {
  static double real(double x) { return std::ceil(x); }
};

}  // namespace

extern constinit const Op op_ceil = elementwise<Ceil>("ceil");

}  // namespace hlo
