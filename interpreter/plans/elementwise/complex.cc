#include <array>

#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

template <typename T>
void pair(const KernelArguments& a) {
  loops::over<2, std::array<T, 2>, T>(a, [](T real, T imag) {
    return std::array<T, 2>{real, imag};
  });
}

Kernel kernel(const Instruction& complex) {
  return complex.shape.element_type == ElementType::kC64
             ? loops::native<pair<uint32_t>>
             : loops::native<pair<uint64_t>>;
}

}  // namespace

extern constinit const Plan plan_complex{.kernel = kernel};

}  // namespace hlo
