// spec/ops/sqrt.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Sqrt {
  static constexpr std::string_view kFormula = "sqrt {0}";
  static constexpr Behaviour kBehaviour = monotone(kOnRoots);
  static constexpr Arithmetic kArithmetic = Arithmetic::kRoot;

  static auto real(auto x) { return sqrt(x); }

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kSqrt;
};

}  // namespace

extern constinit const Op op_sqrt =
    elementwise<Sqrt>("sqrt", {.complex_units = 8}, kResultAccuracy);

}  // namespace hlo
