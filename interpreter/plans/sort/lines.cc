#include "interpreter/plans/sort/lines.h"

#include <cstddef>

namespace hlo {

Lines lines_along(const Shape& shape, int64_t dimension) {
  Lines lines;
  lines.size = shape.dims[static_cast<size_t>(dimension)];
  lines.stride = row_major_strides(shape.dims)[static_cast<size_t>(dimension)];
  const int64_t elements = shape.element_count();
  lines.count = elements == 0 ? 0 : elements / lines.size;
  return lines;
}

}  // namespace hlo
