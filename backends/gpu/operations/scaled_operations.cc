#include <optional>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/products.h"
#include "backends/gpu/program/map_launch.h"
#include "interpreter/error.h"

namespace hlo::gpu {
namespace {

bool may_be_scaled(const Value& value) {
  const ElementType type = value.shape.element_type;
  return is_float(type) && type != ElementType::kF64;
}

/// The scale with an element for each of its operand; nothing where it means 1.
std::optional<Value> scale_of(Memory& memory, const Value& scale,
                              const Shape& operand) {
  if (scale.shape.is_scalar()) return std::nullopt;
  Value repeated =
      new_array(memory, Shape::array(scale.shape.element_type, operand.dims));
  if (operand.element_count() == 0) return repeated;
  const Ints from = row_major_strides(scale.shape.dims);
  const Ints to = row_major_strides(operand.dims);
  Ints sizes;
  View read = view_of(scale, {});
  View written = view_of(repeated, {});
  for (size_t d = 0; d < from.size(); ++d) {
    const int64_t block = operand.dims[d] / scale.shape.dims[d];
    sizes.insert(sizes.end(), {scale.shape.dims[d], block});
    read.strides.insert(read.strides.end(), {from[d], 0});
    written.strides.insert(written.strides.end(), {to[d] * block, to[d]});
  }
  copy(memory, sizes, read, written);
  return repeated;
}

Value scaled_dot(Memory& memory, const Instruction& instruction,
                 const Values& operands) {
  for (const Value* operand : operands) {
    require_evaluable(
        may_be_scaled(*operand) && is_float(instruction.shape.element_type),
        "scaled-dot.types",
        {"an operand is ", operand->shape, " and the result ",
         instruction.shape},
        "operands and scales must be of float types but f64, and "
        "the result of a float type");
  }
  const Products products = products_of_dot(instruction);
  check_ranks(products.walk);
  const auto lhs = scale_of(memory, *operands[2], operands[0]->shape);
  const auto rhs = scale_of(memory, *operands[3], operands[1]->shape);
  Value result = new_array(memory, instruction.shape);
  launch_sums(
      memory, products.walk, *operands[0], operands[1], products.rhs,
      {.lhs_scale = lhs ? &*lhs : nullptr, .rhs_scale = rhs ? &*rhs : nullptr},
      result);
  return result;
}

}  // namespace

Functions scaled_functions() { return {{"scaled-dot", scaled_dot}}; }

}  // namespace hlo::gpu
