#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/model/element_type.h"

namespace hlo::cpu {

/// Which element of an array each of `count` elements is: number
/// clamp(index, 0, room) * stride.
struct ElementIndices {
  ElementType type;  // of integers of at least 8 bits
  const std::byte* first;
  int64_t count;
  int64_t room;
  int64_t stride;
};

/// Writes these elements of 1, 2, 4 or 8 bytes one after the other; false of
/// other widths.
bool gather_elements(const ElementIndices& indices, size_t width,
                     const std::byte* array, std::byte* to);

}  // namespace hlo::cpu
