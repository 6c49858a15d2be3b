// spec/ops/bitcast.md
#include <limits>

#include "interpreter/error.h"
#include "interpreter/op.h"

namespace hlo {
namespace {

// Of unbounded dimensions.
constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

Shape infer(const Instruction& bitcast) {
  const Shape& operand = bitcast.operand_shape(0);
  const Shape& result = given_shape(bitcast);
  require(operand.is_array() && result.is_array(), "bitcast.C1",
          "operand and result are arrays");
  require(operand.element_count() == kUnknown ||
              result.element_count() == kUnknown ||
              buffer_bytes(result) <= buffer_bytes(operand),
          "bitcast.C2", "the result takes no more bytes than the operand");
  return result;
}

bool is_row_major(const Shape& shape) {
  return !shape.layout || *shape.layout == default_layout(shape.rank());
}

Literal eval(const Instruction& bitcast, Operands operands, Evaluator&) {
  const Shape& from = bitcast.operand_shape(0);
  const Shape& to = bitcast.shape;
  if (is_row_major(from) && is_row_major(to) &&
      from.element_count() == to.element_count() &&
      bits(from.element_type) == bits(to.element_type)) {
    return operands[0].with_shape(to);
  }
  Buffer buffer = store(operands[0], from, Padding::kZero);
  buffer.bytes.resize(static_cast<size_t>(buffer_bytes(to)));
  buffer.shape = to;
  return load(buffer);
}

}  // namespace

extern constinit const Op op_bitcast{.name = "bitcast",
                                     .min_operands = 1,
                                     .max_operands = 1,
                                     .infer = infer,
                                     .eval = eval,
                                     .accuracy = {.moves_data = true}};

}  // namespace hlo
