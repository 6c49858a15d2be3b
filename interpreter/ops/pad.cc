// spec/ops/pad.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"padding", AttributeKind::kPadding, /*required=*/true}};

/// The size of a padded dimension; negative where too much is cut off.
int64_t padded_size(int64_t size, const PaddingDimension& padding) {
  const int64_t gaps = std::max<int64_t>(size - 1, 0);
  int64_t inside = 0;
  int64_t result = 0;
  const bool fits = !__builtin_mul_overflow(gaps, padding.interior, &inside) &&
                    !__builtin_add_overflow(inside, size, &inside) &&
                    !__builtin_add_overflow(inside, padding.low, &result) &&
                    !__builtin_add_overflow(result, padding.high, &result);
  return fits ? result : -1;
}

Shape infer(const Instruction& pad) {
  const Shape& operand = pad.operand_shape(0);
  const Shape& value = pad.operand_shape(1);
  const auto& padding = pad.get<PaddingConfig>("padding").dims;
  require(operand.is_array() && value.is_scalar(), "pad.C1",
          {"the operand is ", operand, " and the padding value ", value},
          "an array must be padded with a scalar");
  const auto type = common_type(operand.element_type, value.element_type);
  require(type.has_value(), "pad.C2",
          {"the operand is ", operand, " and the padding value ", value},
          "they must have one element type, or both be floats");
  require(static_cast<int64_t>(padding.size()) == operand.rank(), "pad.C3",
          {"the padding has ", Count{std::ssize(padding), "entry", "entries"},
           " for the operand ", operand},
          "it must have one per dimension");
  Shape result = operand;
  result.element_type =
      chosen_type(pad, *type, value.element_type != operand.element_type);
  result.layout.reset();
  for (size_t d = 0; d < padding.size(); ++d) {
    require(
        padding[d].interior >= 0, "pad.C4",
        {"the interior padding of dimension ", d, " is ", padding[d].interior},
        "it must not be negative");
    result.dims[d] = padded_size(operand.dims[d], padding[d]);
    require(result.dims[d] >= 0, "pad.C5",
            {"dimension ", d, " of ", operand, " would have the size ",
             result.dims[d]},
            "no more elements may be cut off than there are");
  }
  return result;
}

/// The elements of one dimension that stay: the first, and how many.
struct Kept {
  int64_t first = 0;
  int64_t count = 0;
};

Kept kept_elements(int64_t size, int64_t result_size,
                   const PaddingDimension& padding) {
  // Element i goes to low + i * step, if that lies in [0, result_size).
  const int64_t step = padding.interior + 1;
  const int64_t first = padding.low >= 0 ? 0 : (-padding.low + step - 1) / step;
  const int64_t room = result_size - padding.low;
  const int64_t end = room <= 0 ? 0 : std::min(size, (room + step - 1) / step);
  return {first, std::max<int64_t>(end - first, 0)};
}

Movement movement(const Instruction& pad, Operands) {
  const Shape& operand = pad.operand_shape(0);
  const auto& padding = pad.get<PaddingConfig>("padding").dims;
  const Ints source_strides = row_major_strides(operand.dims);
  Ints result_strides = row_major_strides(pad.shape.dims);
  Block block;
  Ints extents;
  for (size_t d = 0; d < padding.size(); ++d) {
    const Kept kept =
        kept_elements(operand.dims[d], pad.shape.dims[d], padding[d]);
    const int64_t step = padding[d].interior + 1;
    extents.push_back(kept.count);
    block.source_offset += kept.first * source_strides[d];
    block.result_offset +=
        (padding[d].low + kept.first * step) * result_strides[d];
    result_strides[d] *= step;
  }
  block.axes = make_axes(extents, source_strides, result_strides);
  Movement movement{.fill_operand = 1};
  movement.blocks.push_back(std::move(block));
  return movement;
}

}  // namespace

extern constinit const Op op_pad{.name = "pad",
                                 .min_operands = 2,
                                 .max_operands = 2,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .movement = movement,
                                 .accuracy = {.moves_data = true}};

}  // namespace hlo
