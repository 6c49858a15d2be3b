#include "interpreter/stablehlo/export/export_bitcast.h"

#include <algorithm>

#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/stablehlo/export/export_text.h"

// bitcast reads an array's memory under another shape and layout. StableHLO has
// no layouts: the elements are brought into the order of the memory, read as
// elements of the other type, and brought into the order of the result.
namespace hlo::stablehlo {
namespace {

Layout layout_of(const Shape& shape) {
  return shape.layout.value_or(default_layout(shape.rank()));
}

/// Whether the array lies in memory without gaps, whole bytes an element.
bool is_dense(const Shape& shape) {
  Layout plain = default_layout(shape.rank());
  const Layout layout = layout_of(shape);
  plain.minor_to_major = layout.minor_to_major;
  plain.memory_space = layout.memory_space;
  return layout == plain && bits(shape.element_type) >= 8 &&
         !shape.has_dynamic_dimensions();
}

/// The dimensions, the slowest first.
Ints major_to_minor(const Shape& shape) {
  Ints order = layout_of(shape).minor_to_major;
  std::ranges::reverse(order);
  return order;
}

Shape permuted(const Shape& shape, const Ints& order) {
  Shape result = Shape::array(shape.element_type, {});
  append_sizes(result.dims, shape, order);
  return result;
}

Leaf transposed(Writer& writer, const Leaf& value, const Ints& order) {
  if (std::ranges::is_sorted(order)) return value;
  return writer.add({.name = "transpose",
                     .operands = {value},
                     .properties = "permutation = " + array_text(order),
                     .results = {permuted(value.shape, order)}},
                    nullptr)[0];
}

Leaf reshaped(Writer& writer, const Leaf& value, Ints dims) {
  if (value.shape.dims == dims) return value;
  return writer.add(
      {.name = "reshape",
       .operands = {value},
       .results = {Shape::array(value.shape.element_type, std::move(dims))}},
      nullptr)[0];
}

/// A vector read as elements of another type: the widths differ by a factor,
/// which StableHLO has as a dimension of its own.
Leaf reinterpreted(Writer& writer, Leaf vector, ElementType type) {
  const ElementType from = vector.shape.element_type;
  if (from == type) return vector;
  const int64_t count = vector.shape.dims.at(0);
  Shape result = Shape::array(type, {count});
  if (bits(from) > bits(type)) result.dims.push_back(bits(from) / bits(type));
  if (bits(from) < bits(type)) {
    const int64_t factor = bits(type) / bits(from);
    result.dims[0] = count / factor;
    vector = reshaped(writer, vector, {count / factor, factor});
  }
  return writer.add(
      {.name = "bitcast_convert", .operands = {vector}, .results = {result}},
      nullptr)[0];
}

bool bitcast(Writer& writer, const Instruction& instruction, Leaves& result) {
  const Shape& from = instruction.operand_shape(0);
  const Shape& to = instruction.shape;
  if (!from.is_array()) return false;
  const int64_t bytes = from.element_count() * storage_bytes(from.element_type);
  const bool same_type = from.element_type == to.element_type;
  if (!is_dense(from) || !is_dense(to) || bytes == 0 ||
      bytes != to.element_count() * storage_bytes(to.element_type) ||
      (!same_type &&
       (is_complex(from.element_type) || is_complex(to.element_type)))) {
    return false;
  }
  const Ints order = major_to_minor(to);
  Ints back(order.size());
  for (size_t d = 0; d < order.size(); ++d) {
    back[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
  }
  Leaf value = writer.of(*instruction.operands[0]).at(0);
  value = transposed(writer, value, major_to_minor(from));
  if (!same_type) {
    value = reshaped(writer, value, {from.element_count()});
    value = reinterpreted(writer, value, to.element_type);
  }
  value = reshaped(writer, value, permuted(to, order).dims);
  result = {transposed(writer, value, back)};
  return true;
}

constexpr ExportRow kRows[] = {{"bitcast", bitcast}};

}  // namespace

ExportRows bitcast_exporters() { return kRows; }

}  // namespace hlo::stablehlo
