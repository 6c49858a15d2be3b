#include "interpreter/rules/sizes/sizes.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hlo {
namespace {

/// Copies the elements whose indices are below `sizes`, row by row.
Literal copied(const Literal& from, const Ints& sizes, const Shape& shape) {
  Literal to(shape);
  if (std::ranges::count(sizes, 0) > 0) return to;
  Ints row_counts = sizes;
  int64_t length = 1;
  if (!sizes.empty()) std::swap(length, row_counts.back());
  const int64_t rows =
      Shape::array(shape.element_type, row_counts).element_count();
  const int64_t width = storage_bytes(shape.element_type);
  for (int64_t row = 0; row < rows; ++row) {
    const Index index = delinearize(row, row_counts);
    std::copy_n(
        from.bytes().data() + linearize(index, from.shape().dims) * width,
        length * width,
        to.mutable_bytes().data() + linearize(index, shape.dims) * width);
  }
  return to;
}

}  // namespace

bool is_sized(const Literal& array) { return !array.dynamic_sizes().empty(); }

Literal trimmed(const Literal& array, const Ints& sizes) {
  const Shape shape = Shape::array(array.type(), sizes);
  if (sizes == array.shape().dims) {
    Literal whole = array.with_shape(shape);
    whole.set_dynamic_sizes({});
    return whole;
  }
  return copied(array, sizes, shape);
}

std::string sizes_text(const Ints& sizes) {
  std::string text;
  for (const int64_t size : sizes) {
    text += (text.empty() ? "" : ",") + std::to_string(size);
  }
  return "[" + text + "]";
}

Ints sizes_of(const Literal& array) {
  return is_sized(array) ? array.dynamic_sizes() : array.shape().dims;
}

Literal cut(const Literal& value) {
  if (value.shape().is_array()) return trimmed(value, sizes_of(value));
  if (!value.shape().is_tuple()) return value;
  std::vector<Literal> elements;
  for (const Literal& element : value.elements()) {
    elements.push_back(cut(element));
  }
  return Literal::tuple(std::move(elements));
}

Literal in_bounds(const Literal& value, const Shape& shape) {
  if (!shape.is_tuple()) {
    const Ints& sizes = value.shape().dims;
    if (!std::ranges::equal(sizes, shape.dims, std::less_equal{})) {
      throw std::logic_error("an array is larger than its bounds");
    }
    if (sizes == shape.dims) return value.with_shape(shape);
    Literal result = copied(value, sizes, shape);
    result.set_dynamic_sizes(sizes);
    return result;
  }
  std::vector<Literal> elements;
  for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
    elements.push_back(in_bounds(value.elements()[i], shape.tuple_shapes[i]));
  }
  return Literal::tuple(std::move(elements));
}

}  // namespace hlo
