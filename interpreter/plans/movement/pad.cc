#include <algorithm>
#include <utility>

#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

/// Differences and steps of 64 bits have more.
__extension__ using Wide = __int128;

/// The elements of one dimension that stay: the first, how many, where the
/// first one lies then, and how far apart they do.
struct Kept {
  int64_t first = 0;
  int64_t count = 0;
  int64_t place = 0;
  int64_t step = 1;
};

/// Element i goes to low + i * step, if that lies in [0, result_size).
Kept kept_elements(int64_t size, int64_t result_size,
                   const PaddingDimension& padding) {
  const Wide low = padding.low;
  const Wide step = Wide{padding.interior} + 1;
  const Wide first = low >= 0 ? 0 : (-low - 1) / step + 1;
  const Wide room = result_size - low;
  const Wide end = room <= 0 ? 0 : std::min<Wide>(size, (room - 1) / step + 1);
  if (end <= first) return {};
  const auto count = static_cast<int64_t>(end - first);
  return {static_cast<int64_t>(first), count,
          static_cast<int64_t>(low + first * step),
          // One element has no neighbour, however far that would lie.
          count > 1 ? static_cast<int64_t>(step) : 1};
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
    extents.push_back(kept.count);
    block.source_offset += kept.first * source_strides[d];
    block.result_offset += kept.place * result_strides[d];
    result_strides[d] *= kept.step;
  }
  block.axes = make_axes(extents, source_strides, result_strides);
  Movement movement{.fill_operand = 1};
  movement.blocks.push_back(std::move(block));
  return movement;
}

}  // namespace

extern constinit const Plan plan_pad{.movement = movement};

}  // namespace hlo
