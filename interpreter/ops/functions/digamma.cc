// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Digamma {
  static constexpr std::string_view kTarget = "chlo.digamma";

  static constexpr numeric::Function kFunction = numeric::Function::kDigamma;
};

}  // namespace

extern constinit const Op function_digamma =
    elementwise<Digamma>("custom-call", rounded());

}  // namespace hlo
