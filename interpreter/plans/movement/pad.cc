#include <algorithm>
#include <limits>
#include <utility>

#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

/// The elements of one dimension that stay: the first, and how many.
struct Kept {
  int64_t first = 0;
  int64_t count = 0;
};

/// How far elements lie apart. With the largest padding between them there are
/// no two, so that one less is as good.
int64_t step_of(const PaddingDimension& padding) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return std::min(padding.interior, kMost - 1) + 1;
}

Kept kept_elements(int64_t size, int64_t result_size,
                   const PaddingDimension& padding) {
  // Element i goes to low + i * step, if that lies in [0, result_size).
  const int64_t step = step_of(padding);
  const int64_t first = padding.low >= 0 ? 0 : (-padding.low - 1) / step + 1;
  const int64_t room = result_size - padding.low;
  const int64_t end = room <= 0 ? 0 : std::min(size, (room - 1) / step + 1);
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
    const int64_t step = step_of(padding[d]);
    extents.push_back(kept.count);
    block.source_offset += kept.first * source_strides[d];
    block.result_offset +=
        (padding[d].low + kept.first * step) * result_strides[d];
    // One element has no neighbour, however far that would lie.
    if (kept.count > 1) result_strides[d] *= step;
  }
  block.axes = make_axes(extents, source_strides, result_strides);
  Movement movement{.fill_operand = 1};
  movement.blocks.push_back(std::move(block));
  return movement;
}

}  // namespace

extern constinit const Plan plan_pad{.movement = movement};

}  // namespace hlo
