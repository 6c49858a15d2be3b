// spec/ops/acos.md
#include "interpreter/elementwise.h"

namespace hlo {
namespace {

struct Acos {
  static constexpr numeric::Function function = numeric::Function::kAcos;
  static constexpr bool complex_declared = true;
};

}  // namespace

extern constinit const Op op_acos =
    elementwise<Acos>("acos", rounded(3, 2), kResultAccuracy);

}  // namespace hlo
