// spec/ops/cosine.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Cosine {
  static constexpr numeric::Function kFunction = numeric::Function::kCosine;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kCosine;
};

}  // namespace

extern constinit const Op op_cosine =
    elementwise<Cosine>("cosine", rounded(), kResultAccuracy);

}  // namespace hlo
