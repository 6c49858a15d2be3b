// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ErfInv {
  static constexpr std::string_view kTarget = "chlo.erf_inv";

  static constexpr numeric::Function kFunction = numeric::Function::kErfInv;
};

}  // namespace

extern constinit const Op function_erf_inv =
    elementwise<ErfInv>("custom-call", rounded());

}  // namespace hlo
