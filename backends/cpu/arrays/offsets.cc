#include "backends/cpu/arrays/offsets.h"

namespace hlo::cpu {

std::vector<int64_t> offsets(const Shape& shape, const Ints& dimensions) {
  const std::vector<int64_t> own = row_major_strides(shape.dims);
  std::vector<int64_t> found{0};
  for (const int64_t dimension : dimensions) {
    const auto d = static_cast<size_t>(dimension);
    std::vector<int64_t> more;
    more.reserve(found.size() * static_cast<size_t>(shape.dims[d]));
    for (const int64_t base : found) {
      for (int64_t i = 0; i < shape.dims[d]; ++i) {
        more.push_back(base + i * own[d]);
      }
    }
    found = std::move(more);
  }
  return found;
}

}  // namespace hlo::cpu
