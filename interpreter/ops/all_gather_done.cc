// spec/ops/all_gather_done.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/async_rules.h"
#include "interpreter/rules/op.h"

namespace hlo {

extern const Op op_all_gather_start;

namespace {

Shape infer(const Instruction& done) {
  const Shape& operand = done.operand_shape(0);
  require(operand.is_tuple() && operand.tuple_shapes.size() == 2,
          "all-gather-done.C1", {"the operand is ", operand},
          "it must be the result of a start, a tuple of two");
  return operand.tuple_shapes[1];
}

}  // namespace

extern constinit const Op op_all_gather_done{.name = "all-gather-done",
                                             .min_operands = 1,
                                             .max_operands = 1,
                                             .infer = infer,
                                             .communicate = finish,
                                             .accuracy = {.moves_data = true},
                                             .check = check_ended,
                                             .start = &op_all_gather_start};

}  // namespace hlo
