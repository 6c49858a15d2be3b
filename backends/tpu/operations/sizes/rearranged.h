#pragma once

#include <cstdint>
#include <functional>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The array of that shape whose element at a row-major position comes from
/// source_of(position) of `array`, or is zero bits where that is
/// TileOrder::kPadding.
TiledArray rearranged(Machine& machine, const TiledArray& array,
                      const Shape& shape,
                      const std::function<int64_t(int64_t)>& source_of);

/// The sizes that the array has at run time.
const std::vector<int64_t>& sizes_of(const TiledArray& array);
/// Gives it sizes; those of its bounds are none.
void set_sizes(TiledArray& array, std::vector<int64_t> sizes);

/// The elements whose indices are below `sizes`, as an array of these sizes.
TiledArray trimmed(Machine& machine, const TiledArray& array,
                   const std::vector<int64_t>& sizes);
/// The array within the bounds of `shape`, with zeros past it.
TiledArray in_bounds(Machine& machine, const TiledArray& array,
                     const Shape& shape);

}  // namespace hlo::tpu
