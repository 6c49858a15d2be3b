// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct AsinAcosKernel {
  static constexpr std::string_view kTarget = "chlo._asin_acos_kernel";

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAsinAcosKernel;
};

}  // namespace

extern constinit const Op function_asin_acos_kernel =
    elementwise<AsinAcosKernel>("custom-call", rounded());

}  // namespace hlo
