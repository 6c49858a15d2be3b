// spec/ops/bitcast.md
#include "interpreter/error.h"
#include "interpreter/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& bitcast) {
  const Shape& operand = bitcast.operand_shape(0);
  const Shape& result = given_shape(bitcast);
  require(operand.is_array() && result.is_array(), "bitcast.C1",
          "operand and result are arrays");
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
  const auto bytes = static_cast<size_t>(buffer_bytes(to));
  require_evaluable(bytes <= buffer.bytes.size(), "bitcast.bytes",
                    "the result takes no more bytes than the operand");
  buffer.bytes.resize(bytes);
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
