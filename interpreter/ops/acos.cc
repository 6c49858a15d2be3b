// spec/ops/acos.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Acos {
  static constexpr numeric::Function kFunction = numeric::Function::kAcos;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAcos;
};

}  // namespace

extern constinit const Op op_acos =
    elementwise<Acos>("acos", rounded(), kResultAccuracy);

}  // namespace hlo
