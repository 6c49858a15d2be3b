// spec/ops/copy_done.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/async_rules.h"
#include "interpreter/rules/devices/async_state.h"
#include "interpreter/rules/op.h"

namespace hlo {

extern const Op op_copy_start;

namespace {

bool is_wrapped(const Shape& state) {
  return state.tuple_shapes.size() >= 2 &&
         wraps_copy(state, state.tuple_shapes[1]);
}

Shape infer(const Instruction& done) {
  const Shape& operand = done.operand_shape(0);
  if (is_wrapped(operand)) return operand.tuple_shapes[1];
  require(operand.is_tuple() && operand.tuple_shapes.size() == 3 &&
              compatible(operand.tuple_shapes[0], operand.tuple_shapes[1]),
          "copy-done.C1", {"the operand is ", operand},
          "it must be the result of a copy-start");
  return operand.tuple_shapes[0];
}

Future communicate(const Instruction& done, Operands operands, Evaluator&) {
  const size_t destination = is_wrapped(done.operand_shape(0)) ? 1 : 0;
  return at_once(operands[0].elements()[destination]);
}

}  // namespace

extern constinit const Op op_copy_done{.name = "copy-done",
                                       .min_operands = 1,
                                       .max_operands = 1,
                                       .infer = infer,
                                       .communicate = communicate,
                                       .accuracy = {.moves_data = true},
                                       .check = check_ended,
                                       .start = &op_copy_start};

}  // namespace hlo
