// spec/ops/rsqrt.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Rsqrt {
  static constexpr std::string_view kFormula = "1 / sqrt {0}";
  static constexpr Behaviour kBehaviour = monotone(kOnInverseRoots);

  static constexpr numeric::Function kFunction = numeric::Function::kRsqrt;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kRsqrt;
};

}  // namespace

extern constinit const Op op_rsqrt =
    elementwise<Rsqrt>("rsqrt", rounded(), kResultAccuracy);

}  // namespace hlo
