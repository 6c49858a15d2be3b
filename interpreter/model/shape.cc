#include "interpreter/model/shape.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hlo {
namespace {

void collect_leaves(const Shape& shape, std::vector<const Shape*>& result) {
  if (!shape.is_tuple()) {
    result.push_back(&shape);
    return;
  }
  for (const Shape& element : shape.tuple_shapes) {
    collect_leaves(element, result);
  }
}

void append_joined(std::string& text, std::span<const int64_t> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(values[i]);
  }
}

void append_tile(std::string& text, const Tile& tile) {
  text += '(';
  for (size_t i = 0; i < tile.dims.size(); ++i) {
    if (i > 0) text += ',';
    text += tile.dims[i] == Tile::kCombine ? "*" : std::to_string(tile.dims[i]);
  }
  text += ')';
}

std::string layout_parts(const Layout& layout) {
  std::string text;
  const auto number = [&](std::string_view letter, int64_t value) {
    text.append(letter).append("(").append(std::to_string(value)).append(")");
  };
  if (!layout.dim_level_types.empty()) {
    text += "D(" + layout.dim_level_types + ")";
  }
  if (!layout.tiles.empty()) text += 'T';
  for (const Tile& tile : layout.tiles) append_tile(text, tile);
  if (layout.tail_padding_alignment_in_elements != 1) {
    number("L", layout.tail_padding_alignment_in_elements);
  }
  if (layout.index_primitive_type) {
    text.append("#(").append(name(*layout.index_primitive_type)).append(")");
  }
  if (layout.pointer_primitive_type) {
    text.append("*(").append(name(*layout.pointer_primitive_type)).append(")");
  }
  if (layout.element_size_in_bits != 0) {
    number("E", layout.element_size_in_bits);
  }
  if (layout.memory_space != 0) number("S", layout.memory_space);
  if (!layout.split_configs.empty()) text += "SC";
  for (const SplitConfig& split : layout.split_configs) {
    text += "(" + std::to_string(split.dimension) + ":";
    append_joined(text, split.indices);
    text += ')';
  }
  if (!layout.physical_shape.empty()) {
    text += "P(" + layout.physical_shape + ")";
  }
  if (layout.dynamic_shape_metadata_prefix_bytes != 0) {
    number("M", layout.dynamic_shape_metadata_prefix_bytes);
  }
  return text;
}

std::string dimension_text(const Shape& shape, int64_t d) {
  const int64_t size = shape.dims[static_cast<size_t>(d)];
  if (size == kUnbounded) return "?";
  return (shape.is_dynamic(d) ? "<=" : "") + std::to_string(size);
}

std::string tuple_text(const Shape& shape, bool with_layout) {
  std::string text = "(";
  for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
    if (i > 0) text += ", ";
    if (i > 0 && i % 5 == 0) text += "/*index=" + std::to_string(i) + "*/";
    text += to_string(shape.tuple_shapes[i], with_layout);
  }
  return text + ")";
}

}  // namespace

Shape::Shape() = default;
Shape::Shape(const Shape& other) = default;
Shape::Shape(Shape&& other) noexcept = default;
Shape& Shape::operator=(const Shape& other) = default;
Shape& Shape::operator=(Shape&& other) noexcept = default;
Shape::~Shape() = default;

// clang 14 crashes where this is defaulted.
bool operator==(const Shape& a, const Shape& b) {
  return a.element_type == b.element_type && a.dims == b.dims &&
         a.dynamic == b.dynamic && a.layout == b.layout &&
         a.tuple_shapes == b.tuple_shapes;
}

Shape Shape::array(ElementType type, std::vector<int64_t> dims) {
  Shape shape;
  shape.element_type = type;
  shape.dims = std::move(dims);
  return shape;
}

Shape Shape::tuple(std::vector<Shape> shapes) {
  Shape shape;
  shape.element_type = ElementType::kTuple;
  shape.tuple_shapes = std::move(shapes);
  return shape;
}

Shape Shape::token() {
  Shape shape;
  shape.element_type = ElementType::kToken;
  return shape;
}

Shape Shape::opaque() {
  Shape shape;
  shape.element_type = ElementType::kOpaque;
  return shape;
}

bool Shape::has_dynamic_dimensions() const {
  return std::ranges::any_of(dynamic, [](bool is) { return is; }) ||
         std::ranges::any_of(tuple_shapes, [](const Shape& element) {
           return element.has_dynamic_dimensions();
         });
}

void Shape::set_dynamic(int64_t d, bool value) {
  if (dynamic.empty()) {
    if (!value) return;
    dynamic.resize(dims.size(), false);
  }
  dynamic[static_cast<size_t>(d)] = value;
  if (std::ranges::none_of(dynamic, [](bool is) { return is; })) {
    dynamic.clear();
  }
}

int64_t Shape::element_count() const {
  if (std::ranges::count(dims, 0) > 0) return 0;
  int64_t count = 1;
  for (const int64_t dim : dims) {
    if (dim == kUnbounded || __builtin_mul_overflow(count, dim, &count)) {
      return std::numeric_limits<int64_t>::max();
    }
  }
  return count;
}

bool Shape::contains(std::span<const int64_t> index) const {
  if (index.size() != dims.size()) return false;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (index[d] < 0 || index[d] >= dims[d]) return false;
  }
  return true;
}

bool same_dims(const Shape& a, const Shape& b) { return a.dims == b.dims; }

bool compatible(const Shape& a, const Shape& b, bool ignore_dynamic) {
  if (a.element_type != b.element_type || a.dims != b.dims) return false;
  if (!ignore_dynamic && a.dynamic != b.dynamic) return false;
  return std::ranges::equal(a.tuple_shapes, b.tuple_shapes,
                            [&](const Shape& x, const Shape& y) {
                              return compatible(x, y, ignore_dynamic);
                            });
}

std::vector<const Shape*> leaves(const Shape& shape) {
  std::vector<const Shape*> result;
  collect_leaves(shape, result);
  return result;
}

std::vector<int64_t> row_major_strides(std::span<const int64_t> dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    // Programs that are not verified yet have arrays of any size.
    if (__builtin_mul_overflow(stride, dims[d], &stride)) stride = 0;
  }
  return strides;
}

Index delinearize(int64_t linear, std::span<const int64_t> dims) {
  Index index(dims.size());
  for (size_t d = dims.size(); d-- > 0;) {
    index[d] = linear % dims[d];
    linear /= dims[d];
  }
  return index;
}

int64_t linearize(std::span<const int64_t> index,
                  std::span<const int64_t> dims) {
  int64_t linear = 0;
  for (size_t d = 0; d < dims.size(); ++d) linear = linear * dims[d] + index[d];
  return linear;
}

std::string to_string(const Shape& shape, bool with_layout) {
  if (shape.is_tuple()) return tuple_text(shape, with_layout);
  if (shape.element_type == ElementType::kBuffer) {
    return "b(" + to_string(shape.tuple_shapes.at(0), with_layout) + ")";
  }
  std::string text{name(shape.element_type)};
  text += '[';
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (d > 0) text += ',';
    text += dimension_text(shape, d);
  }
  text += ']';
  if (with_layout && shape.layout) text += to_string(*shape.layout);
  return text;
}

std::string to_string(const Layout& layout) {
  std::string text = "{";
  append_joined(text, layout.minor_to_major);
  const std::string parts = layout_parts(layout);
  if (!parts.empty()) text += ":" + parts;
  if (text == "{") return "";  // rank 0 prints no layout
  return text + "}";
}

void append_words(std::string& text, const Shape& shape) {
  text += to_string(shape, /*with_layout=*/false);
}

void append_words(std::string& text, const std::vector<Shape>& shapes) {
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (i > 0) text += i + 1 < shapes.size() ? ", " : " and ";
    append_words(text, shapes[i]);
  }
  if (shapes.empty()) text += "none";
}

}  // namespace hlo
