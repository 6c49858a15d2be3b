#pragma once

#include <cstdint>
#include <optional>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/scratch_room.h"
#include "backends/tpu/memory/tiled_array.h"
#include "interpreter/model/literal.h"

namespace hlo::tpu {

/// Room for the bytes of a whole array in the scratch memory. Nothing where
/// that has not twice as much free: then they count as untiled bytes.
std::optional<ScratchRoom> room_for_whole(Machine& machine, int64_t bytes);

/// All elements of an array, read one by one: the few numbers that say where
/// others are, or from which range.
struct WholeArray {
  std::optional<ScratchRoom> room;
  Literal elements;
};

WholeArray read_whole(Machine& machine, const TiledArray& array);

}  // namespace hlo::tpu
