#include "interpreter/text/grammar/read_shape.h"

#include <algorithm>

#include "interpreter/counted.h"
#include "interpreter/model/attribute.h"
#include "interpreter/shortened.h"
#include "interpreter/text/grammar/read_list.h"

namespace hlo::text {
namespace {

ElementType read_type(Scanner& in) {
  const size_t start = in.position();
  const std::string_view name = in.word("an element type");
  const auto type = find_type(name);
  if (!type || *type == ElementType::kTuple || *type == ElementType::kBuffer) {
    in.fail_at(start, "text.type",
               "there is no element type '" + shortened(name) + "'");
  }
  return *type;
}

void read_dimension(Scanner& in, Shape& shape) {
  const bool is_bounded = in.eat("<=");
  const bool is_unbounded = !is_bounded && in.eat('?');
  shape.dims.push_back(is_unbounded ? kUnbounded
                                    : in.natural("the size of a dimension"));
  if (!shape.dynamic.empty()) shape.dynamic.push_back(false);
  if (is_bounded || is_unbounded) shape.set_dynamic(shape.rank() - 1, true);
}

Shape read_array_shape(Scanner& in) {
  Shape shape;
  shape.element_type = read_type(in);
  const size_t start = in.position();
  read_list(in, '[', ']', [&] { read_dimension(in, shape); });
  if (!shape.is_array() && shape.rank() > 0) {
    in.fail_at(start, "text.type",
               "there are dimensions, but this type can have none");
  }
  constexpr int64_t kMaxRank = Nesting::kMaxDepth - 10;
  if (shape.rank() > kMaxRank) {
    in.fail_at(start, "text.depth",
               "the shape has more than " + counted(kMaxRank, "dimension"));
  }
  return shape;
}

Shape read_tuple_shape(Scanner& in) {
  Shape shape = Shape::tuple({});
  read_list(in, '(', ')',
            [&] { shape.tuple_shapes.push_back(read_shape(in)); });
  return shape;
}

Shape read_buffer_shape(Scanner& in) {
  in.eat_word("b");
  in.expect('(', "behind 'b'");
  Shape shape;
  shape.element_type = ElementType::kBuffer;
  shape.tuple_shapes.push_back(read_shape(in));
  in.expect(')', "behind the shape of a buffer");
  return shape;
}

bool at_buffer(const Scanner& in) {
  return in.peek_word() == "b" && in.peek_behind() == '(';
}

Tile read_tile(Scanner& in) {
  Tile tile;
  read_list(in, '(', ')', [&] {
    tile.dims.push_back(in.eat('*') ? Tile::kCombine
                                    : in.natural("the size of a tile or '*'"));
  });
  return tile;
}

int64_t read_parenthesized(Scanner& in) {
  in.expect('(', "in a layout");
  const int64_t value = in.natural("a number");
  in.expect(')', "in a layout");
  return value;
}

ElementType read_parenthesized_type(Scanner& in) {
  in.expect('(', "in a layout");
  const ElementType type = read_type(in);
  in.expect(')', "in a layout");
  return type;
}

std::string read_level_types(Scanner& in) {
  in.expect('(', "behind 'D'");
  std::string text{in.run("CDSHLN+~, ")};
  std::erase(text, ' ');
  in.expect(')', "behind the types of levels");
  return text;
}

void read_splits(Scanner& in, Layout& layout) {
  do {
    in.expect('(', "before a split");
    SplitConfig split;
    split.dimension = in.natural("a dimension");
    in.expect(':', "behind the dimension of a split");
    do {
      split.indices.push_back(in.natural("an index"));
    } while (in.eat(','));
    in.expect(')', "behind a split");
    layout.split_configs.push_back(std::move(split));
  } while (in.peek() == '(');
}

void read_physical_shape(Scanner& in, Layout& layout) {
  const Nesting nesting(in);  // it may have a layout with one as well
  const size_t start = in.position();
  in.expect('(', "behind 'P'");
  layout.physical_shape = to_string(read_shape(in));
  in.expect(')', "behind the physical shape");
  if (layout.dim_level_types.empty()) {
    in.fail_at(
        start, "layout.C6",
        "there is a physical shape, but only sparse arrays can have one");
  }
}

void read_layout_parts(Scanner& in, Layout& layout) {
  if (in.eat_word("D")) layout.dim_level_types = read_level_types(in);
  if (in.eat_word("T")) {
    do {
      layout.tiles.push_back(read_tile(in));
    } while (in.peek() == '(');
  }
  if (in.eat_word("L")) {
    layout.tail_padding_alignment_in_elements = read_parenthesized(in);
  }
  if (in.eat('#')) layout.index_primitive_type = read_parenthesized_type(in);
  if (in.eat('*')) layout.pointer_primitive_type = read_parenthesized_type(in);
  if (in.eat_word("E")) layout.element_size_in_bits = read_parenthesized(in);
  if (in.eat_word("S")) layout.memory_space = read_parenthesized(in);
  if (in.eat_word("SC")) read_splits(in, layout);
  if (in.eat_word("P")) read_physical_shape(in, layout);
  if (in.eat_word("M")) {
    layout.dynamic_shape_metadata_prefix_bytes = read_parenthesized(in);
  }
}

bool is_permutation_of_dimensions(Ints order) {
  std::ranges::sort(order);
  for (size_t d = 0; d < order.size(); ++d) {
    if (order[d] != static_cast<int64_t>(d)) return false;
  }
  return true;
}

}  // namespace

bool at_shape(const Scanner& in) {
  if (in.peek() == '(') return true;
  const std::string_view word = in.peek_word();
  if (word.empty()) return false;
  const char behind = in.peek_behind(word.size());
  return behind == '[' || (word == "b" && behind == '(');
}

Shape read_shape_without_layout(Scanner& in) {
  const Nesting nesting(in);
  if (in.peek() == '(') return read_tuple_shape(in);
  if (at_buffer(in)) return read_buffer_shape(in);
  return read_array_shape(in);
}

bool at_layout(const Scanner& in) {
  if (in.peek() != '{') return false;
  const char behind = in.peek_behind();
  return is_digit(behind) || behind == ':';
}

Shape read_shape(Scanner& in) {
  Shape shape = read_shape_without_layout(in);
  if (shape.is_array() && at_layout(in)) read_layout(in, shape);
  return shape;
}

void read_layout(Scanner& in, Shape& shape) {
  const size_t start = in.position();
  in.expect('{', "before a layout");
  Layout layout;
  if (in.peek() != ':' && in.peek() != '}') {
    do {
      layout.minor_to_major.push_back(in.natural("a dimension"));
    } while (in.eat(','));
  }
  if (in.eat(':')) read_layout_parts(in, layout);
  in.expect('}', "behind a layout");
  if (layout.minor_to_major.size() != shape.dims.size() ||
      !is_permutation_of_dimensions(layout.minor_to_major)) {
    in.fail_at(start, "layout.C1",
               joined({"minor_to_major is ", layout.minor_to_major, " for ",
                       Count{shape.rank(), "dimension"},
                       ", but it must name every dimension once"}));
  }
  if (layout == Layout()) return;  // a scalar's, which is not printed
  shape.layout = std::move(layout);
}

}  // namespace hlo::text
