// spec/ops/sqrt.md
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Sqrt {
  static constexpr numeric::Function kFunction = numeric::Function::kSqrt;

  // IEEE 754 asks hardware for it.
  static double fast_real(double x) { return std::sqrt(x); }

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kSqrt;
};

}  // namespace

extern constinit const Op op_sqrt =
    elementwise<Sqrt>("sqrt", {.complex_units = 8}, kResultAccuracy);

}  // namespace hlo
