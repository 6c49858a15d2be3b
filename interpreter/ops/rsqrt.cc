// spec/ops/rsqrt.md
#include "interpreter/elementwise.h"

namespace hlo {
namespace {

struct Rsqrt {
  static constexpr numeric::Function function = numeric::Function::kRsqrt;

  static constexpr numeric::ComplexFunction complex_function =
      numeric::ComplexFunction::kRsqrt;
};

}  // namespace

extern constinit const Op op_rsqrt =
    elementwise<Rsqrt>("rsqrt", rounded(2, 1), kResultAccuracy);

}  // namespace hlo
