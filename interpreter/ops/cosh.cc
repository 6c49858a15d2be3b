// spec/ops/cosh.md
#include "interpreter/elementwise.h"

namespace hlo {
namespace {

struct Cosh {
  static constexpr numeric::Function function = numeric::Function::kCosh;
  static constexpr bool complex_declared = true;
};

}  // namespace

extern constinit const Op op_cosh =
    elementwise<Cosh>("cosh", rounded(2, 2), kResultAccuracy);

}  // namespace hlo
