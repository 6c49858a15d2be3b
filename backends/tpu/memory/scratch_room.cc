#include "backends/tpu/memory/scratch_room.h"

namespace hlo::tpu {

ScratchRoom::ScratchRoom(Scratch& scratch, int64_t bytes) {
  for (int64_t held = 0; held < bytes; held += kLanes) {
    registers_.emplace_back(scratch, ElementType::kU8);
  }
}

}  // namespace hlo::tpu
