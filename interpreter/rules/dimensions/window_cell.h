#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/model/attribute.h"
#include "interpreter/model/shape.h"

namespace hlo {

/// Which element of a dimension of `size` elements lies under a cell of the
/// window at a place; nothing where there is padding or a gap.
std::optional<int64_t> element_under(const WindowDimension& window,
                                     int64_t place, int64_t cell, int64_t size);
/// The index of the element of an array with these dimensions under a cell of
/// the window at a place, in all dimensions.
std::optional<Index> element_under(const Window& window, const Index& place,
                                   const Index& cell, const Ints& dims);

/// The sizes of the dimensions of a window.
Ints sizes_of(const Window& window);

}  // namespace hlo
