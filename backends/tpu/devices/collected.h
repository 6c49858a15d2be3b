#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/tiled_array.h"

namespace hlo::tpu {

/// A row-major position in one of several arrays.
struct Origin {
  size_t array;
  int64_t position;
};

/// The array of that shape, in the machine's memory and the layout that it
/// assigns, whose element at each position comes from origin_of(position) of
/// arrays of its type, which may lie in the memories of others.
TiledArray collected(Machine& machine, const Shape& shape,
                     const std::vector<const TiledArray*>& arrays,
                     const std::function<Origin(int64_t)>& origin_of);

}  // namespace hlo::tpu
