// spec/ops/sine.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Sine {
  static constexpr std::string_view kFormula = "sin({0})";
  static constexpr Behaviour kBehaviour = {Behaviour::Kind::kWave, kOnAll};
  static constexpr ResultRange kRange = {-1, 1};

  static constexpr numeric::Function kFunction = numeric::Function::kSine;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kSine;
};

}  // namespace

extern constinit const Op op_sine =
    elementwise<Sine>("sine", rounded(), kResultAccuracy);

}  // namespace hlo
