// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Polygamma {
  static constexpr std::string_view kTarget = "chlo.polygamma";

  static constexpr numeric::Function2 kFunction2 =
      numeric::Function2::kPolygamma;
};

}  // namespace

extern constinit const Op function_polygamma =
    elementwise<Polygamma>("custom-call", rounded());

}  // namespace hlo
