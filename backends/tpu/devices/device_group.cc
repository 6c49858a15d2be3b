#include "backends/tpu/devices/device_group.h"

namespace hlo::tpu {

std::vector<const TiledArray*> Group::arrays(size_t k) const {
  std::vector<const TiledArray*> arrays;
  for (const auto& operands : meeting.operands) {
    arrays.push_back(&operands[k].array);
  }
  return arrays;
}

}  // namespace hlo::tpu
