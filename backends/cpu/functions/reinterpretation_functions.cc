#include "backends/cpu/functions/reinterpretation_functions.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>

#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/arrays/packing.h"
#include "interpreter/error.h"

namespace hlo::cpu {
namespace {

bool is_packable(ElementType type) {
  return bits(type) < 8 && type != ElementType::kPred;
}

/// Any byte but 0 is true; bits above the type's width do not count.
void clean(Array& array) {
  const ElementType type = array.shape.element_type;
  if (type == ElementType::kPred) {
    for (std::byte& b : array.bytes) b = std::byte{b != std::byte{0}};
  } else if (is_signed(type) && is_packable(type)) {
    array = store<int64_t>(array.shape, load<int64_t>(array));
  } else if (is_packable(type)) {
    const auto mask = static_cast<std::byte>((1U << bits(type)) - 1);
    for (std::byte& b : array.bytes) b &= mask;
  }
}

Array reinterpreted(Buffer buffer, const Shape& from, const Shape& as) {
  buffer.shape = from;
  Array result = unpack(buffer);
  result.shape = as;
  result.shape.layout.reset();
  clean(result);
  return result;
}

Shape only_order(Shape shape) {
  if (!shape.layout) return shape;
  Layout layout = default_layout(shape.rank());
  layout.minor_to_major = shape.layout->minor_to_major;
  layout.element_size_in_bits = shape.layout->element_size_in_bits;
  shape.layout = layout;
  return shape;
}

/// The buffer of an array, read in the layout of the result.
Array cast(const Array& array, Shape from, Shape to) {
  const Shape shape = to;
  if (buffer_size(from) != buffer_size(to)) {
    from = only_order(from);
    to = only_order(to);
  }
  Buffer buffer = pack(array, from);
  buffer.bytes.resize(buffer_size(to));
  return reinterpreted(std::move(buffer), to, shape);
}

/// The arrays of a tuple, one by one.
Array cast_all(const Array& value, const Shape& from, const Shape& to) {
  if (!to.is_tuple()) return cast(value, from, to);
  std::vector<Array> parts;
  for (size_t i = 0; i < to.tuple_shapes.size(); ++i) {
    require_evaluable(
        value.elements[i].sizes.empty(), "evaluate.sizes",
        {"bitcast: an array of the tuple has fewer elements than its bounds "
         "say"},
        "it must have as many");
    parts.push_back(
        cast_all(value.elements[i], from.tuple_shapes[i], to.tuple_shapes[i]));
  }
  return tuple_of(std::move(parts));
}

Array bitcast(const Instruction& instruction, Operands operands) {
  return cast_all(*operands[0], instruction.operand_shape(0),
                  instruction.shape);
}

/// All elements in a row, without gaps between narrow ones.
Shape in_a_row(const Shape& shape) {
  Shape row = Shape::array(shape.element_type, {shape.element_count()});
  row.layout = default_layout(1);
  if (is_packable(shape.element_type)) {
    row.layout->element_size_in_bits = bits(shape.element_type);
  }
  return row;
}

Array bitcast_convert(const Instruction& instruction, Operands operands) {
  Array row = *operands[0];
  row.shape = in_a_row(operands[0]->shape);
  return reinterpreted(pack(row, row.shape), in_a_row(instruction.shape),
                       instruction.shape);
}

/// One part of each complex number; a float is its own real part.
Array part(const Instruction& instruction, Operands operands, size_t which) {
  const Array& operand = *operands[0];
  Array result(instruction.shape);
  const bool complex = is_complex(operand.shape.element_type);
  if (!complex && which == 1) {
    // E8M0 has no zero, and NaN stands for it.
    const bool zero = operand.shape.element_type != ElementType::kF8E8M0FNU;
    if (!zero) std::ranges::fill(result.bytes, std::byte{0xff});
    return result;
  }
  const size_t width = result.width();
  const size_t stride = operand.width();
  for (size_t i = 0; i * width < result.bytes.size(); ++i) {
    std::memcpy(result.bytes.data() + i * width,
                operand.bytes.data() + i * stride + which * width, width);
  }
  return result;
}

Array real(const Instruction& instruction, Operands operands) {
  return part(instruction, operands, 0);
}

Array imag(const Instruction& instruction, Operands operands) {
  return part(instruction, operands, 1);
}

template <typename T>
Array complex_of(const Shape& shape, Operands parts) {
  using Complex = std::complex<T>;
  return filled<Complex>(shape, [&](int64_t first, std::span<Complex> some) {
    std::array<T, kSomeElements> real;
    std::array<T, kSomeElements> imag;
    load_some(*parts[0], first, std::span(real).first(some.size()));
    load_some(*parts[1], first, std::span(imag).first(some.size()));
    for (size_t i = 0; i < some.size(); ++i) some[i] = {real[i], imag[i]};
  });
}

Array complex(const Instruction& instruction, Operands operands) {
  const bool is_wide = instruction.shape.element_type == ElementType::kC128;
  return is_wide ? complex_of<double>(instruction.shape, operands)
                 : complex_of<float>(instruction.shape, operands);
}

}  // namespace

Functions reinterpretation_functions() {
  return {{"bitcast", bitcast},
          {"bitcast-convert", bitcast_convert},
          {"real", real},
          {"imag", imag},
          {"complex", complex}};
}

}  // namespace hlo::cpu
