// spec/ops/dynamic_reshape.md
#include <algorithm>

#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo {
namespace {

Shape infer(const Instruction& reshape) {
  const Shape& result = given_shape(reshape);
  const Shape& operand = reshape.operand_shape(0);
  require(operand.is_array() && operand.element_type == result.element_type,
          "dynamic-reshape.C1",
          {"the operand is ", operand, " and the result ", result},
          "both must be arrays of one type");
  require(operand.element_count() == result.element_count(),
          "dynamic-reshape.C2",
          {"the operand has ", Count{operand.element_count(), "element"},
           " and the result ", result.element_count()},
          "they must have the same number");
  require(static_cast<int64_t>(reshape.operands.size()) == result.rank() + 1,
          "dynamic-reshape.C3",
          {"there are ", Count{std::ssize(reshape.operands) - 1, "size"},
           " for the result ", result},
          "there must be one for each dimension");
  for (size_t i = 1; i < reshape.operands.size(); ++i) {
    require(
        compatible(reshape.operand_shape(i), Shape::scalar(ElementType::kS32)),
        "dynamic-reshape.C4", {"operand ", i, " is ", reshape.operand_shape(i)},
        "sizes must be s32 scalars");
  }
  return result;
}

/// The sizes of the result: those given of dynamic dimensions, clamped.
Ints result_sizes(const Shape& shape, Operands operands) {
  Ints sizes = shape.dims;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!shape.is_dynamic(static_cast<int64_t>(d))) continue;
    sizes[d] =
        std::clamp<int64_t>(operands[d + 1].integer(0), 0, shape.dims[d]);
  }
  return sizes;
}

/// As many elements as there are places for, zeros behind them.
Literal with_sizes(const Literal& array, const Ints& sizes) {
  Literal result(Shape::array(array.type(), sizes));
  const int64_t n = std::min(array.element_count(), result.element_count());
  for (int64_t i = 0; i < n; ++i) result.set(i, array.at(i));
  return result;
}

/// Elements side by side in row-major order of the sizes, not of the bounds.
Literal value(const Instruction& reshape, Operands operands, Evaluator&) {
  const Literal present = cut(operands[0]);
  const Ints sizes = result_sizes(reshape.shape, operands);
  const Shape shape = Shape::array(present.type(), sizes);
  Literal result = in_bounds(shape.element_count() == present.element_count()
                                 ? present.with_shape(shape)
                                 : with_sizes(present, sizes),
                             reshape.shape);
  result.set_dynamic_sizes(sizes);
  return result;
}

}  // namespace

extern constinit const Op op_dynamic_reshape{.name = "dynamic-reshape",
                                             .min_operands = 1,
                                             .max_operands = -1,
                                             .infer = infer,
                                             .moving = {.operands = 1},
                                             .value = value,
                                             .accuracy = {.moves_data = true},
                                             .takes_sizes = true};

}  // namespace hlo
