#include "backends/gpu/operations/products.h"

#include <algorithm>

namespace hlo::gpu {
namespace {

Ints dimensions(const Instruction& instruction, std::string_view name) {
  return instruction.get_or<Ints>(name, {});
}

bool contains(const Ints& list, size_t d) {
  return std::ranges::find(list, static_cast<int64_t>(d)) != list.end();
}

}  // namespace

void Products::add_index(int64_t size, int64_t lhs_stride, int64_t rhs_stride) {
  walk.sizes.push_back(size);
  walk.lhs.o_strides.push_back(lhs_stride);
  rhs.o_strides.push_back(rhs_stride);
}

void Products::add_leading_index(int64_t size) {
  walk.sizes.insert(walk.sizes.begin(), size);
  walk.lhs.o_strides.insert(walk.lhs.o_strides.begin(), 0);
  rhs.o_strides.insert(rhs.o_strides.begin(), 0);
}

void Products::add_tap(int64_t size, int64_t lhs_stride, int64_t rhs_stride) {
  walk.tap_sizes.push_back(size);
  walk.lhs.t_strides.push_back(lhs_stride);
  rhs.t_strides.push_back(rhs_stride);
}

Products products_of_dot(const Instruction& dot, const Ints& left_out) {
  const Shape& lhs = dot.operand_shape(0);
  const Shape& rhs = dot.operand_shape(1);
  const Ints a = row_major_strides(lhs.dims);
  const Ints b = row_major_strides(rhs.dims);
  const Ints lhs_batch = dimensions(dot, "lhs_batch_dims");
  const Ints rhs_batch = dimensions(dot, "rhs_batch_dims");
  const Ints lhs_taps = dimensions(dot, "lhs_contracting_dims");
  const Ints rhs_taps = dimensions(dot, "rhs_contracting_dims");
  Products products;
  for (size_t k = 0; k < lhs_batch.size(); ++k) {
    const auto i = static_cast<size_t>(lhs_batch[k]);
    products.add_index(lhs.dims[i], a[i], b[static_cast<size_t>(rhs_batch[k])]);
  }
  for (size_t d = 0; d < a.size(); ++d) {
    if (contains(lhs_batch, d) || contains(lhs_taps, d)) continue;
    products.add_index(lhs.dims[d], a[d], 0);
  }
  for (size_t d = 0; d < b.size(); ++d) {
    if (contains(rhs_batch, d) || contains(rhs_taps, d) ||
        contains(left_out, d)) {
      continue;
    }
    products.add_index(rhs.dims[d], 0, b[d]);
  }
  for (size_t k = 0; k < lhs_taps.size(); ++k) {
    const auto i = static_cast<size_t>(lhs_taps[k]);
    products.add_tap(lhs.dims[i], a[i], b[static_cast<size_t>(rhs_taps[k])]);
  }
  return products;
}

}  // namespace hlo::gpu
