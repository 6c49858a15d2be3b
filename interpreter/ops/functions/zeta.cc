// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Zeta {
  static constexpr std::string_view kTarget = "chlo.zeta";

  static constexpr numeric::Function2 kFunction2 = numeric::Function2::kZeta;
};

}  // namespace

extern constinit const Op function_zeta =
    elementwise<Zeta>("custom-call", rounded());

}  // namespace hlo
