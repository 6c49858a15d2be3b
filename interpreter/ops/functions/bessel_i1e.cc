// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct BesselI1e {
  static constexpr std::string_view kTarget = "chlo.bessel_i1e";

  static constexpr numeric::Function kFunction = numeric::Function::kBesselI1e;
};

}  // namespace

extern constinit const Op function_bessel_i1e =
    elementwise<BesselI1e>("custom-call", rounded());

}  // namespace hlo
