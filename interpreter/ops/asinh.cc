// spec/ops/asinh.md
#include "interpreter/elementwise.h"

namespace hlo {
namespace {

struct Asinh {
  static constexpr numeric::Function function = numeric::Function::kAsinh;
  static constexpr bool complex_declared = true;
};

}  // namespace

extern constinit const Op op_asinh =
    elementwise<Asinh>("asinh", rounded(2, 2), kResultAccuracy);

}  // namespace hlo
