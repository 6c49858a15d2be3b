// spec/ops/bitcast.md
#include <limits>

#include "interpreter/error.h"
#include "interpreter/model/buffer.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fit_reshape.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo {
namespace {

/// Bits that an element takes in memory.
int64_t slot_bits(const Shape& shape) {
  const int64_t said = shape.layout ? shape.layout->element_size_in_bits : 0;
  return said != 0 ? said : int64_t{8} * storage_bytes(shape.element_type);
}

/// Bytes of the elements without padding; saturates.
int64_t dense_bytes(const Shape& shape) {
  int64_t total = 0;
  const bool fits =
      !__builtin_mul_overflow(shape.element_count(), slot_bits(shape), &total);
  return fits ? total / 8 + (total % 8 != 0 ? 1 : 0)
              : std::numeric_limits<int64_t>::max();
}

/// An array, or each array of a tuple.
void check_part(const Shape& operand, const Shape& result) {
  const bool are_tuples =
      operand.is_tuple() && result.is_tuple() &&
      operand.tuple_shapes.size() == result.tuple_shapes.size();
  require(are_tuples || (operand.is_array() && result.is_array()), "bitcast.C1",
          {"the operand is ", operand, " and the result ", result},
          "both must be arrays, or tuples of as many elements");
  if (are_tuples) {
    for (size_t i = 0; i < operand.tuple_shapes.size(); ++i) {
      check_part(operand.tuple_shapes[i], result.tuple_shapes[i]);
    }
    return;
  }
  require(
      dense_bytes(result) <= dense_bytes(operand), "bitcast.C2",
      {"the elements of the result take ", Count{dense_bytes(result), "byte"},
       " and those of the operand ", dense_bytes(operand)},
      "the result must not take more");
}

Shape infer(const Instruction& bitcast) {
  check_part(bitcast.operand_shape(0), given_shape(bitcast));
  return bitcast.shape;
}

/// The shape with the order of its dimensions and the width of its elements
/// alone, without tiles.
Shape untiled(Shape shape) {
  if (!shape.layout) return shape;
  Layout plain;
  plain.minor_to_major = shape.layout->minor_to_major;
  plain.element_size_in_bits = shape.layout->element_size_in_bits;
  shape.layout = std::move(plain);
  return shape;
}

/// The unsigned integers that take as many bits as a slot of the shape; nothing
/// where there are none.
std::optional<ElementType> type_of_slots(const Shape& shape) {
  using enum ElementType;
  const int64_t said = shape.layout ? shape.layout->element_size_in_bits : 0;
  const int64_t width =
      said != 0 ? said : 8 * storage_bytes(shape.element_type);
  for (const ElementType type : {kU1, kU2, kU4, kU8, kU16, kU32, kU64}) {
    if (bits(type) == width) return type;
  }
  return std::nullopt;
}

/// The elements in the buffer. What is no pred becomes true by any bit.
Literal reloaded(Buffer buffer, const Shape& from, const Shape& to) {
  buffer.shape = to;
  const bool is_pred = to.element_type == ElementType::kPred &&
                       from.element_type != ElementType::kPred;
  const auto slots = is_pred ? type_of_slots(to) : std::nullopt;
  if (!slots) return load(buffer);
  buffer.shape.element_type = *slots;
  const Literal numbers = load(buffer);
  Literal truths(to);
  for (int64_t i = 0; i < numbers.element_count(); ++i) {
    const bool truth = numbers.at(i).bits[0] != 0;
    truths.set(i, {.type = ElementType::kPred, .bits = {truth ? 1U : 0U, 0}});
  }
  return truths;
}

Literal cast(const Literal& operand, Shape from, Shape to) {
  if (to.is_tuple()) {
    std::vector<Literal> parts;
    for (size_t i = 0; i < to.tuple_shapes.size(); ++i) {
      const Literal& part = operand.elements()[i];
      require_evaluable(
          part.shape().is_tuple() || sizes_of(part) == part.shape().dims,
          "evaluate.sizes",
          {"bitcast: an array of the tuple, ", part.shape(),
           ", has fewer elements than its bounds say"},
          "it must have as many");
      parts.push_back(cast(part, from.tuple_shapes[i], to.tuple_shapes[i]));
    }
    return Literal::tuple(std::move(parts));
  }
  const Shape shape = to;
  if (buffer_bytes(from) != buffer_bytes(to)) {
    from = untiled(std::move(from));
    to = untiled(std::move(to));
  }
  Buffer buffer = store(operand, from, Padding::kZero);
  buffer.bytes.resize(static_cast<size_t>(buffer_bytes(to)));
  return reloaded(std::move(buffer), from, to).with_shape(shape);
}

Literal value(const Instruction& bitcast, Operands operands, Evaluator&) {
  return cast(operands[0], bitcast.operand_shape(0), bitcast.shape);
}

bool is_row_major(const Shape& shape) {
  return !shape.layout || *shape.layout == default_layout(shape.rank());
}

/// A bitcast is a reshape where neither layout turns elements.
void fit(const Fitting& on) {
  const Shape& operand = on.instruction.operand_shape(0);
  const Shape& result = on.instruction.shape;
  if (operand.is_tuple()) return;
  const bool is_plain =
      is_row_major(operand) && is_row_major(result) &&
      operand.element_count() == result.element_count() &&
      storage_bytes(operand.element_type) == storage_bytes(result.element_type);
  for (int64_t d = 0; d < operand.rank() && !is_plain; ++d) {
    on.require_whole(0, d, "a bitcast must take the bytes of all elements");
  }
  fit_reshape(on);
}

}  // namespace

extern constinit const Op op_bitcast{.name = "bitcast",
                                     .form = Form::kMovement,
                                     .min_operands = 1,
                                     .max_operands = 1,
                                     .infer = infer,
                                     .moving = {.operands = 1},
                                     .value = value,
                                     .accuracy = {.moves_data = true},
                                     .fit = fit};

}  // namespace hlo
