// spec/ops/complex.md
#include <array>

#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

constexpr Signature kSignature{.classes = {.real = true}};

Shape infer(const Instruction& complex) {
  Shape result = same_shape(complex, kSignature);
  const auto type = complex_type(result.element_type);
  require(type.has_value() && complex.operand_shape(0).element_type ==
                                  complex.operand_shape(1).element_type,
          "complex.C3", {"the operands are ", OperandShapes{complex}},
          "they must be both of type f32 or both of type f64");
  result.element_type = *type;
  return result;
}

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

extern constinit const Op op_complex{.name = "complex",
                                     .min_operands = 2,
                                     .max_operands = 2,
                                     .infer = infer,
                                     .kernel = kernel,
                                     .accuracy = {.moves_data = true}};

}  // namespace hlo
