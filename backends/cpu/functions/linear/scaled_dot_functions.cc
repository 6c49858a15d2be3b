#include "backends/cpu/functions/linear/scaled_dot_functions.h"

#include <algorithm>

#include "backends/cpu/arrays/add_product.h"
#include "backends/cpu/arrays/wide_numbers.h"
#include "backends/cpu/functions/linear/dot_functions.h"
#include "interpreter/error.h"

namespace hlo::cpu {
namespace {

bool may_be_scaled(const Array* operand) {
  const ElementType type = operand->shape.element_type;
  return is_float(type) && type != ElementType::kF64;
}

/// The numbers times the scales of their blocks, exact in double; a scalar
/// scale means 1.
Array scaled(const Array& operand, const Array& scale) {
  std::vector<double> values = wide_reals(operand);
  const Shape shape = Shape::array(ElementType::kF64, operand.shape.dims);
  if (scale.shape.rank() > 0) {
    const std::vector<double> scales = wide_reals(scale);
    for (size_t i = 0; i < values.size(); ++i) {
      Index at = delinearize(static_cast<int64_t>(i), shape.dims);
      for (size_t d = 0; d < at.size(); ++d) {
        at[d] /= shape.dims[d] / scale.shape.dims[d];
      }
      values[i] *= scales[static_cast<size_t>(linearize(at, scale.shape.dims))];
    }
  }
  return store<double>(shape, values);
}

Array scaled_dot(const Instruction& instruction, Operands operands) {
  require_evaluable(
      std::ranges::all_of(operands, may_be_scaled) &&
          is_float(instruction.shape.element_type),
      "scaled-dot.types",
      {"the operands are ", OperandShapes{instruction}, " and the result is ",
       instruction.shape},
      "operands and scales must be of float types but f64, and the result of a "
      "float type");
  const Array left = scaled(*operands[0], *operands[2]);
  const Array right = scaled(*operands[1], *operands[3]);
  Instruction dot = instruction;
  dot.shape.element_type = ElementType::kF64;
  const Array* const sides[] = {&left, &right};
  const Array sums = dot_functions().at(0).second(dot, Operands(sides));
  return rounded(instruction.shape, load<double>(sums));
}

}  // namespace

Functions scaled_dot_functions() { return {{"scaled-dot", scaled_dot}}; }

}  // namespace hlo::cpu
