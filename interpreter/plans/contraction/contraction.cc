#include "interpreter/plans/contraction/contraction.h"

#include <cstddef>
#include <utility>

namespace hlo {

void Runs::operator()(int64_t g, int64_t index, int64_t* positions) const {
  if (length == 0) return;
  starts(g, index, positions);
  // From the back, so that no start is overwritten before it is read.
  for (int64_t i = count; i-- > 0;) {
    const int64_t start = positions[i];
    for (int64_t k = length; k-- > 0;) {
      positions[i * length + k] = start < 0 ? -1 : start + k * stride;
    }
  }
}

std::vector<int64_t> offsets_along(const Shape& shape, const Ints& dims) {
  const Ints strides = row_major_strides(shape.dims);
  Ints result = {0};
  for (const int64_t d : dims) {
    Ints longer;
    for (const int64_t offset : result) {
      for (int64_t i = 0; i < shape.dims[static_cast<size_t>(d)]; ++i) {
        longer.push_back(offset + i * strides[static_cast<size_t>(d)]);
      }
    }
    result = std::move(longer);
  }
  return result;
}

}  // namespace hlo
