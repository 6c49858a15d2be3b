#include <array>

#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

template <typename T>
void first(const KernelArguments& a) {
  using Pair = std::array<T, 2>;
  loops::over<1, T, Pair>(a, [](const Pair& z) { return z[0]; });
}

template <typename T>
void same(const KernelArguments& a) {
  loops::over<1, T, T>(a, [](T x) { return x; });
}

Kernel kernel(const Instruction& real) {
  const ElementType type = real.operands[0]->shape.element_type;
  if (type == ElementType::kC64) return loops::native<first<uint32_t>>;
  if (type == ElementType::kC128) return loops::native<first<uint64_t>>;
  switch (storage_bytes(type)) {
    case 1:
      return loops::native<same<uint8_t>>;
    case 2:
      return loops::native<same<uint16_t>>;
    case 4:
      return loops::native<same<uint32_t>>;
    default:
      return loops::native<same<uint64_t>>;
  }
}

}  // namespace

extern constinit const Plan plan_real{.kernel = kernel};

}  // namespace hlo
