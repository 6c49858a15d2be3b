#include "interpreter/rules/dimensions/window_cell.h"

namespace hlo {

std::optional<int64_t> element_under(const WindowDimension& window,
                                     int64_t place, int64_t cell,
                                     int64_t size) {
  const int64_t dilated =
      place * window.stride - window.low + cell * window.window_dilation;
  const int64_t element = dilated / window.base_dilation;
  const bool exists = dilated >= 0 && dilated % window.base_dilation == 0;
  return exists && element < size ? std::optional(element) : std::nullopt;
}

std::optional<Index> element_under(const Window& window, const Index& place,
                                   const Index& cell, const Ints& dims) {
  Index index;
  for (size_t d = 0; d < dims.size(); ++d) {
    const auto element =
        element_under(window.dims[d], place[d], cell[d], dims[d]);
    if (!element) return std::nullopt;
    index.push_back(*element);
  }
  return index;
}

Ints sizes_of(const Window& window) {
  Ints sizes;
  for (const WindowDimension& dimension : window.dims) {
    sizes.push_back(dimension.size);
  }
  return sizes;
}

}  // namespace hlo
