#include <array>

#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

template <typename T>
void second(const KernelArguments& a) {
  using Pair = std::array<T, 2>;
  loops::over<1, T, Pair>(a, [](const Pair& z) { return z[1]; });
}

// Staged: the conversion of zero is what a type without zero makes of it.
void zero(const KernelArguments& a) {
  loops::over<1, double, double>(a, [](double) { return 0.0; });
}

Kernel kernel(const Instruction& imag) {
  const ElementType type = imag.operands[0]->shape.element_type;
  if (type == ElementType::kC64) return loops::native<second<uint32_t>>;
  if (type == ElementType::kC128) return loops::native<second<uint64_t>>;
  return loops::staged<zero>;
}

}  // namespace

extern constinit const Plan plan_imag{.kernel = kernel};

}  // namespace hlo
