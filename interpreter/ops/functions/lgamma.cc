// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Lgamma {
  static constexpr std::string_view kTarget = "chlo.lgamma";

  static constexpr numeric::Function kFunction = numeric::Function::kLgamma;
};

}  // namespace

extern constinit const Op function_lgamma =
    elementwise<Lgamma>("custom-call", rounded());

}  // namespace hlo
