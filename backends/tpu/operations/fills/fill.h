#pragma once

#include <cstdint>
#include <functional>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/program/tiled_value.h"

// Arrays whose registers are filled in the order of their tiles.

namespace hlo::tpu {

/// Writes the elements at the row-major positions `elements[k]` to lanes k of
/// the register, but where that is TileOrder::kPadding.
using FillLanes =
    std::function<void(const LaneElements& elements, Register& into)>;

/// The array that `fill` makes, which has to write all elements.
TiledArray filled(Machine& machine, const Shape& shape, const FillLanes& fill);

/// An array of zeros, or a tuple of such arrays.
Value zeros(Machine& machine, const Shape& shape);
/// A scalar integer of that type.
Value word(Machine& machine, ElementType type, uint64_t value);

/// The value with its elements in the types of `shape`, a shape alike.
Value retyped(Machine& machine, const Value& value, const Shape& shape);

/// The array, with the elements of `patch` at source_of(position) where that is
/// not TileOrder::kPadding.
TiledArray patched(Machine& machine, const TiledArray& array,
                   const TiledArray& patch,
                   const std::function<int64_t(int64_t)>& source_of);

}  // namespace hlo::tpu
