#include "interpreter/model/buffer_sizes.h"

#include "interpreter/error.h"

namespace hlo {

bool has_room_for_sizes(const Shape& shape) {
  const int64_t bytes =
      shape.layout ? shape.layout->dynamic_shape_metadata_prefix_bytes : 0;
  return shape.has_dynamic_dimensions() && bytes / 4 >= shape.rank();
}

void store_sizes(const Literal& literal, std::byte* prefix) {
  const std::vector<int64_t>& sizes = literal.dynamic_sizes().empty()
                                          ? literal.shape().dims
                                          : literal.dynamic_sizes();
  for (const int64_t size : sizes) {
    for (int k = 0; k < 4; ++k) {
      *prefix++ = static_cast<std::byte>((size >> (8 * k)) & 0xff);
    }
  }
}

std::vector<int64_t> load_sizes(const Shape& shape, const std::byte* prefix) {
  std::vector<int64_t> sizes;
  for (const int64_t bound : shape.dims) {
    int64_t size = 0;
    for (int k = 0; k < 4; ++k) {
      size |= std::to_integer<int64_t>(*prefix++) << (8 * k);
    }
    require_evaluable(size <= bound, "literal.prefix",
                      {"a buffer's prefix has the size ", size,
                       " where the bound is ", bound},
                      "it must be within the bound");
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace hlo
