#include "backends/gpu/program/map_views.h"

#include <utility>

namespace hlo::gpu {

int64_t byte_offset(const View& view) {
  return view.offset + view.base * storage_bytes(view.type);
}

View view_of(const Value& array) {
  return view_of(array, row_major_strides(array.shape.dims));
}

View view_of(const Value& array, Ints strides, int64_t base) {
  return {array.offset(), array.shape.element_type, base, std::move(strides)};
}

}  // namespace hlo::gpu
