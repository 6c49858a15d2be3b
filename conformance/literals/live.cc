#include "conformance/literals/live.h"

#include <cstring>

namespace hlo::conformance {
namespace {

/// Copies the elements of an array of `dims` between the corners of two
/// arrays that are at least as large.
void copy_corner(const std::vector<int64_t>& dims, const Literal& from,
                 Literal& to) {
  const auto width = static_cast<size_t>(storage_bytes(from.type()));
  const int64_t count = Shape::array(from.type(), dims).element_count();
  const std::byte* source = from.bytes().data();
  std::byte* target = to.mutable_bytes().data();
  for (int64_t i = 0; i < count; ++i) {
    const Index index = delinearize(i, dims);
    const auto in = static_cast<size_t>(linearize(index, from.shape().dims));
    const auto out = static_cast<size_t>(linearize(index, to.shape().dims));
    std::memcpy(target + out * width, source + in * width, width);
  }
}

}  // namespace

bool has_room(const Shape& shape, const std::vector<int64_t>& dims) {
  if (std::ssize(dims) != shape.rank()) return false;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const auto k = static_cast<size_t>(d);
    const bool fits = shape.is_dynamic(d) ? dims[k] <= shape.dims[k]
                                          : dims[k] == shape.dims[k];
    if (!fits) return false;
  }
  return true;
}

Literal live_part(const Literal& literal) {
  if (!literal.shape().is_array()) return literal;
  const bool full = literal.dynamic_sizes().empty();
  const Shape shape = Shape::array(
      literal.type(), full ? literal.shape().dims : literal.dynamic_sizes());
  if (full) return literal.with_shape(shape);
  Literal part(shape);
  copy_corner(shape.dims, literal, part);
  return part;
}

Literal with_room(const Literal& part, const Shape& shape) {
  if (part.shape().dims == shape.dims) return part.with_shape(shape);
  Literal literal(shape);
  copy_corner(part.shape().dims, part, literal);
  literal.set_dynamic_sizes(part.shape().dims);
  return literal;
}

}  // namespace hlo::conformance
