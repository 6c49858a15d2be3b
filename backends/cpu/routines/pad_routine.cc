#include "backends/cpu/routines/pad_routine.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "backends/cpu/kernels/moves/pad_array.h"

namespace hlo::cpu {

std::optional<Routine> pad_routine(const Instruction& pad) {
  const Shape& array = pad.operand_shape(0);
  const ElementType type = pad.shape.element_type;
  if (array.element_type != type || pad.operand_shape(1).element_type != type) {
    return std::nullopt;
  }
  const auto& padding = pad.get<PaddingConfig>("padding").dims;
  std::vector<PaddedDimension> dims;
  for (size_t d = 0; d < padding.size(); ++d) {
    // No two elements have the largest padding between them.
    constexpr int64_t kEndless = std::numeric_limits<int64_t>::max();
    const int64_t step = std::min(padding[d].interior, kEndless - 1) + 1;
    dims.push_back({array.dims[d], pad.shape.dims[d], padding[d].low, step});
  }
  const auto width = static_cast<size_t>(storage_bytes(type));
  return Routine{[dims, width](auto operands, auto results) {
    pad_array(dims, width, operands[0], operands[1], results[0]);
  }};
}

}  // namespace hlo::cpu
