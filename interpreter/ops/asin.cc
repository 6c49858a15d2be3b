// spec/ops/asin.md
#include "interpreter/elementwise.h"

namespace hlo {
namespace {

struct Asin {
  static constexpr numeric::Function function = numeric::Function::kAsin;
  static constexpr bool complex_declared = true;
};

}  // namespace

extern constinit const Op op_asin =
    elementwise<Asin>("asin", rounded(3, 2), kResultAccuracy);

}  // namespace hlo
