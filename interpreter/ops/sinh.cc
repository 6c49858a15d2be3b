// spec/ops/sinh.md
#include "interpreter/elementwise.h"

namespace hlo {
namespace {

struct Sinh {
  static constexpr numeric::Function function = numeric::Function::kSinh;
  static constexpr bool complex_declared = true;
};

}  // namespace

extern constinit const Op op_sinh =
    elementwise<Sinh>("sinh", rounded(3, 2), kResultAccuracy);

}  // namespace hlo
