#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/model/bytes.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/shape.h"

namespace hlo {

/// What `store` fills the padding of a buffer with.
enum class Padding : uint8_t { kPoison, kZero };

/// A value as a device holds it: a shape with its layout, and the bytes that
/// the layout prescribes.
struct Buffer {
  Shape shape;
  Bytes bytes;
};

/// Whether buffers of the shape begin with the sizes that it has at run time, 4
/// bytes for each dimension: it has dynamic ones, and its layout the room.
bool has_room_for_sizes(const Shape& shape);
/// The bytes of an array literal in the layout of `shape` (the default layout
/// where it has none). Padding is poisoned by default: every padding byte is
/// 0xa5, so that whoever reads it is found out.
Buffer store(const Literal& literal, const Shape& shape,
             Padding padding = Padding::kPoison);
/// The literal whose elements lie in `buffer`; its shape keeps the layout.
Literal load(const Buffer& buffer);

}  // namespace hlo
