// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct CubeRoot {
  static constexpr std::string_view kTarget = "stablehlo.cbrt";

  static constexpr numeric::Function kFunction = numeric::Function::kCbrt;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kCbrt;
};

}  // namespace

extern constinit const Op function_cube_root =
    elementwise<CubeRoot>("custom-call", rounded());

}  // namespace hlo
