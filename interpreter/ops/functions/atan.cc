// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Atan {
  static constexpr std::string_view kTarget = "chlo.atan";

  static constexpr numeric::Function kFunction = numeric::Function::kAtan;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAtan;
};

}  // namespace

extern constinit const Op function_atan =
    elementwise<Atan>("custom-call", rounded());

}  // namespace hlo
