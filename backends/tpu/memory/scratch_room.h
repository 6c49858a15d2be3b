#pragma once

#include <cstdint>
#include <vector>

#include "backends/tpu/memory/scratch_registers.h"

namespace hlo::tpu {

/// Room in the scratch memory for as many bytes, until it is destroyed. Trap
/// "tpu.scratch" where there is not so much.
class ScratchRoom {
 public:
  ScratchRoom(Scratch& scratch, int64_t bytes);

 private:
  std::vector<Register> registers_;
};

}  // namespace hlo::tpu
