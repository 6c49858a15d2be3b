// spec/ops/tan.md
#include "interpreter/elementwise.h"

namespace hlo {
namespace {

struct Tan {
  static constexpr numeric::Function function = numeric::Function::kTan;
  static constexpr bool complex_declared = true;
};

}  // namespace

extern constinit const Op op_tan =
    elementwise<Tan>("tan", rounded(3, 2), kResultAccuracy);

}  // namespace hlo
