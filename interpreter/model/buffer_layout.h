#pragma once

#include <cstdint>
#include <span>

#include "interpreter/model/shape.h"

// What the layout of an array means for its buffer (spec/layout.md).
namespace hlo {

/// The position, in elements of the buffer, of the element at `index`.
int64_t linear_index(const Shape& shape, std::span<const int64_t> index);
/// The number of element slots of the buffer, padding included.
int64_t buffer_elements(const Shape& shape);
/// The size of the buffer in bytes. Error "layout.*" where the layout is not
/// one.
int64_t buffer_bytes(const Shape& shape);
/// Verify errors "layout.C1" ... where `shape`'s layout is not valid for it.
void validate_layout(const Shape& shape);

}  // namespace hlo
