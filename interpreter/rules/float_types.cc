#include "interpreter/rules/float_types.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo {

bool same_types(const Shape& a, const Shape& b) {
  return a.element_type == b.element_type &&
         std::ranges::equal(a.tuple_shapes, b.tuple_shapes, same_types);
}

Literal with_float_type(const Literal& literal, ElementType type) {
  if (literal.type() == type || !is_float(literal.type())) return literal;
  Shape shape = literal.shape();
  shape.element_type = type;
  Literal result = Literal::uninitialized(shape);
  constexpr int64_t kChunk = 1024;
  std::array<double, kChunk> values{};
  for (int64_t i = 0; i < literal.element_count(); i += kChunk) {
    const int64_t n = std::min(kChunk, literal.element_count() - i);
    numeric::decode_array(
        literal.bytes().data() + i * storage_bytes(literal.type()),
        values.data(), n, numeric::format(literal.type()));
    numeric::encode_array(
        values.data(), result.mutable_bytes().data() + i * storage_bytes(type),
        n, numeric::format(type));
  }
  return result;
}

Literal with_float_types(const Literal& value, const Shape& shape) {
  if (same_types(shape, value.shape())) return value;
  if (value.shape().is_array()) {
    return with_float_type(value, shape.element_type);
  }
  std::vector<Literal> elements;
  for (size_t i = 0; i < value.elements().size(); ++i) {
    elements.push_back(
        with_float_types(value.elements()[i], shape.tuple_shapes.at(i)));
  }
  return Literal::tuple(std::move(elements));
}

}  // namespace hlo
