#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/model/element_type.h"
#include "interpreter/model/layout.h"

namespace hlo {

using Index = std::vector<int64_t>;

/// The size of one dimension when it is unbounded: `?`.
inline constexpr int64_t kUnbounded = -1;

/// The shape of a value: an array, or a tuple, token, opaque or buffer.
/// Equality includes dynamic dimensions and layouts; see compatible().
struct Shape {
  ElementType element_type = ElementType::kTuple;
  std::vector<int64_t> dims;  // sizes; the bound of a dynamic dimension
  std::vector<bool> dynamic;  // per dimension; empty when all are static
  std::optional<Layout> layout;
  std::vector<Shape> tuple_shapes;  // of a tuple; the one shape of a buffer

  // Defined in the .cc: in each file that uses them they would be compiled
  // anew.
  Shape();
  Shape(const Shape& other);
  Shape(Shape&& other) noexcept;
  Shape& operator=(const Shape& other);
  Shape& operator=(Shape&& other) noexcept;
  ~Shape();

  static Shape array(ElementType type, std::vector<int64_t> dims);

  static Shape scalar(ElementType type) { return array(type, {}); }

  static Shape tuple(std::vector<Shape> shapes);
  static Shape token();
  static Shape opaque();

  bool is_array() const { return is_array_type(element_type); }

  bool is_tuple() const { return element_type == ElementType::kTuple; }

  bool is_token() const { return element_type == ElementType::kToken; }

  bool is_scalar() const { return is_array() && dims.empty(); }

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }

  bool is_dynamic(int64_t d) const {
    return !dynamic.empty() && dynamic[static_cast<size_t>(d)];
  }

  /// Whether any dimension here or in an element is dynamic (or unbounded).
  bool has_dynamic_dimensions() const;
  void set_dynamic(int64_t d, bool value);
  /// The number of elements, bounds taken for dynamic dimensions. Saturates at
  /// INT64_MAX; 0 where any dimension is 0.
  int64_t element_count() const;
  /// Whether `index` has this rank and lies within the dimensions.
  bool contains(std::span<const int64_t> index) const;

  friend bool operator==(const Shape& a, const Shape& b);
};

/// Same kind, element type and dimensions; layouts are ignored, and so are the
/// dynamic marks where `ignore_dynamic`.
bool compatible(const Shape& a, const Shape& b, bool ignore_dynamic = false);
/// Same dimensions, whatever the element types and layouts.
bool same_dims(const Shape& a, const Shape& b);

/// The leaves (shapes that are not tuples) of a shape, left to right.
std::vector<const Shape*> leaves(const Shape& shape);

/// Row-major strides, in elements; 0 for those beyond 64 bits.
std::vector<int64_t> row_major_strides(std::span<const int64_t> dims);
/// The index of the element at row-major position `linear`.
Index delinearize(int64_t linear, std::span<const int64_t> dims);
/// The row-major position of the element at `index`.
int64_t linearize(std::span<const int64_t> index,
                  std::span<const int64_t> dims);

/// HLO text of the shape: "f32[2,<=3]{1,0:T(2,2)}". Without layout where
/// `with_layout` is false.
std::string to_string(const Shape& shape, bool with_layout = true);
/// HLO text of the layout: "{1,0:T(2,2)}".
std::string to_string(const Layout& layout);

/// Appends the shape without its layout, as a part of a message.
void append_words(std::string& text, const Shape& shape);
/// Appends the shapes as a list, "f32[2], f32[3] and s32[]", or "none".
void append_words(std::string& text, const std::vector<Shape>& shapes);

}  // namespace hlo
