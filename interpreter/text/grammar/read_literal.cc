#include "interpreter/text/grammar/read_literal.h"

#include <algorithm>
#include <cstring>

#include "interpreter/counted.h"
#include "interpreter/text/grammar/read_element.h"
#include "interpreter/text/grammar/read_shape.h"
#include "interpreter/text/grammar/read_window.h"

namespace hlo::text {
namespace {

/// Reads nested braces straight into the storage of a literal.
class ElementReader {
 public:
  ElementReader(Scanner& in, const Shape& shape, const Ints& sizes,
                std::byte* target)
      : in_(in),
        shape_(shape),
        sizes_(sizes),
        target_(target),
        width_(storage_bytes(shape.element_type)),
        strides_(row_major_strides(shape.dims)) {}

  void read(size_t d, int64_t offset) {
    if (d == sizes_.size()) {
      read_element(in_, shape_.element_type, target_ + offset * width_);
      return;
    }
    in_.expect('{', "before the elements of dimension " + std::to_string(d));
    for (int64_t i = 0; i < sizes_[d]; ++i) {
      // Commas between braces may be left out.
      const bool is_separated = i == 0 || in_.eat(',') || in_.peek() == '{';
      if (in_.peek() == '}' || !is_separated) fail_count(d, i);
      read(d + 1, offset + i * strides_[d]);
    }
    if (!in_.eat('}')) fail_count(d, sizes_[d]);
  }

 private:
  [[noreturn]] void fail_count(size_t d, int64_t i) const {
    in_.expected((i < sizes_[d] ? "',' and " : "'}' behind ") +
                     counted(sizes_[d], "element") + " of dimension " +
                     std::to_string(d),
                 "text.literal");
  }

  Scanner& in_;
  const Shape& shape_;
  const Ints& sizes_;
  std::byte* target_;
  int64_t width_;
  std::vector<int64_t> strides_;
};

int64_t element_count(const Shape& shape, const Ints& sizes) {
  return Shape::array(shape.element_type, sizes).element_count();
}

/// Refuses what cannot be, before anything is allocated for it.
void check_size(Scanner& in, const Shape& shape, int64_t stated) {
  if (std::ranges::count(shape.dims, kUnbounded) > 0) {
    in.fail("literal.unbounded",
            "the shape has unbounded dimensions, but a value can have none");
  }
  const int64_t count = shape.element_count();
  const int64_t width = storage_bytes(shape.element_type);
  if (count > Literal::kMaxBytes / width) {
    in.fail("literal.size",
            joined({"a value ", shape, " has ", Count{count, "element"}, " of ",
                    Count{width, "byte"}, ", but it can take at most 16 GiB"}));
  }
  // Every element takes a character at least.
  if (stated > static_cast<int64_t>(in.rest().size())) {
    in.fail("text.literal",
            joined({"the text has ", Count{std::ssize(in.rest()), "character"},
                    " for ", Count{stated, "element"}, " of ", shape,
                    ", but needs one for each at least"}));
  }
  if (stated < count) in.spend(count * width);
}

/// The run-time sizes "(3,4)" before the elements of a dynamic shape.
Ints read_sizes(Scanner& in, const Shape& shape) {
  if (!shape.has_dynamic_dimensions() || in.peek() != '(' ||
      (is_complex(shape.element_type) && shape.rank() == 0)) {
    return shape.dims;
  }
  const size_t start = in.position();
  Ints sizes = read_ints(in, '(', ')');
  bool fits = sizes.size() == shape.dims.size();
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    fits = sizes[d] >= 0 && sizes[d] <= shape.dims[d];
  }
  if (!fits) {
    in.fail_at(start, "text.literal",
               joined({"the sizes are ", sizes, " of ", shape,
                       ", but each must be within its bound"}));
  }
  return sizes;
}

/// One number for all elements: constant(0) of any shape.
Literal read_splat(Scanner& in, const Shape& shape) {
  Literal element = Literal::uninitialized(Shape::scalar(shape.element_type));
  read_element(in, shape.element_type, element.mutable_bytes().data());
  return Literal::splat(shape, element.scalar());
}

std::optional<Literal> read_array(Scanner& in, const Shape& shape) {
  const Ints sizes = read_sizes(in, shape);
  if (in.rest().starts_with("{...}")) {
    in.advance(5);
    return std::nullopt;
  }
  const bool is_splat = shape.rank() > 0 && in.peek() != '{';
  check_size(in, shape, is_splat ? 1 : element_count(shape, sizes));
  if (is_splat) return read_splat(in, shape);
  const bool is_whole = sizes == shape.dims;
  Literal literal = is_whole ? Literal::uninitialized(shape) : Literal(shape);
  const bool is_empty = literal.element_count() == 0;
  if (is_empty && in.peek() == '{' && in.peek_behind() == '}') {
    in.eat('{');
    in.eat('}');
    return literal;
  }
  ElementReader(in, shape, sizes, literal.mutable_bytes().data()).read(0, 0);
  if (!is_whole) literal.set_dynamic_sizes(sizes);
  return literal;
}

std::optional<Literal> read_tuple(Scanner& in, const Shape& shape) {
  const Nesting nesting(in);
  if (in.rest().starts_with("{...}")) {
    in.advance(5);
    return std::nullopt;
  }
  in.expect('(', "before a tuple");
  std::vector<Literal> elements;
  bool is_elided = false;
  for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
    if (i > 0) in.expect(',', "between the elements of a tuple");
    auto element = read_literal(in, shape.tuple_shapes[i]);
    is_elided = is_elided || !element;
    if (element) elements.push_back(std::move(*element));
  }
  in.expect(')', "behind the elements of a tuple");
  if (is_elided) return std::nullopt;
  Literal literal = Literal::tuple(std::move(elements));
  return literal.with_shape(shape);
}

/// Whether the brace at this place, which looks like a layout, is one: then
/// the elements' brace (or the sizes) follow it.
bool layout_precedes_elements(Scanner& in, const Shape& shape) {
  if (!shape.is_array() || !at_layout(in)) return false;
  const size_t start = in.position();
  in.braces(/*with_comments=*/true);
  const char next = in.peek();
  in.seek(start);
  return shape.rank() == 0 || next == '{' || next == '(';
}

}  // namespace

std::optional<Literal> read_literal(Scanner& in, const Shape& shape) {
  if (shape.is_tuple()) return read_tuple(in, shape);
  if (shape.is_array()) return read_array(in, shape);
  in.fail("text.type", "a value of this type cannot be written");
}

Literal read_literal_with_shape(Scanner& in) {
  Shape shape = read_shape_without_layout(in);
  if (layout_precedes_elements(in, shape)) read_layout(in, shape);
  const size_t start = in.position();
  auto literal = read_literal(in, shape);
  if (!literal) {
    in.fail_at(start, "text.literal", "the elements are left out");
  }
  return std::move(*literal);
}

}  // namespace hlo::text
