// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct IsNegInf {
  static constexpr std::string_view kTarget = "chlo.is_neg_inf";

  static bool real(auto x) { return isinf(x) && x < 0; }
};

}  // namespace

extern constinit const Op function_is_neg_inf =
    elementwise<IsNegInf>("custom-call");

}  // namespace hlo
