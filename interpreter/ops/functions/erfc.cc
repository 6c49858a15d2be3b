// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Erfc {
  static constexpr std::string_view kTarget = "chlo.erfc";
  static constexpr ResultRange kRange = {0, 2};

  static constexpr numeric::Function kFunction = numeric::Function::kErfc;
};

}  // namespace

extern constinit const Op function_erfc =
    elementwise<Erfc>("custom-call", rounded());

}  // namespace hlo
