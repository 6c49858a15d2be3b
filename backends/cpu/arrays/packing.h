#pragma once

#include "backends/cpu/arrays/array.h"

namespace hlo::cpu {

/// Whether a buffer of that shape holds an array's elements as they are.
bool is_plain(const Shape& shape);
/// The array in a buffer, by the layout of the buffer's shape.
Array unpack(const Buffer& buffer);
/// The buffer of an array, by the layout of the shape; padding is zero.
Buffer pack(Array array, const Shape& shape);
/// Size of the buffer of an array of that shape and layout, in bytes.
size_t buffer_size(const Shape& shape);

}  // namespace hlo::cpu
