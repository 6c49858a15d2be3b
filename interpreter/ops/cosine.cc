// spec/ops/cosine.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Cosine {
  static constexpr std::string_view kFormula = "cos({0})";
  static constexpr Behaviour kBehaviour = {Behaviour::Kind::kWave, kOnAll};
  static constexpr ResultRange kRange = {-1, 1};

  static constexpr numeric::Function kFunction = numeric::Function::kCosine;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kCosine;
};

}  // namespace

extern constinit const Op op_cosine =
    elementwise<Cosine>("cosine", rounded(), kResultAccuracy);

}  // namespace hlo
