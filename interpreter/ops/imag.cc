// spec/ops/imag.md
#include <array>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

constexpr Signature kSignature{.classes = {.real = true, .complex = true},
                               .to_component = true};

Shape infer(const Instruction& imag) { return unary_shape(imag, kSignature); }

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

extern constinit const Op op_imag{.name = "imag",
                                  .min_operands = 1,
                                  .max_operands = 1,
                                  .infer = infer,
                                  .kernel = kernel,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
