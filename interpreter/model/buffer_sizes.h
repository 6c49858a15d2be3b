#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/shape.h"

// The sizes at run time that stand in front of a buffer's elements: 4 bytes for
// each dimension, the lowest first (spec/layout.md).
namespace hlo {

/// Whether buffers of the shape have them: it has dynamic dimensions, and its
/// layout the room.
bool has_room_for_sizes(const Shape& shape);
void store_sizes(const Literal& literal, std::byte* prefix);
/// Throws literal.prefix where a size is above its bound.
std::vector<int64_t> load_sizes(const Shape& shape, const std::byte* prefix);

}  // namespace hlo
