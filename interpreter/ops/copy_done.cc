// spec/ops/copy_done.md
#include "interpreter/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& done) {
  const Shape& operand = done.operand_shape(0);
  require(operand.is_tuple() && operand.tuple_shapes.size() == 3 &&
              compatible(operand.tuple_shapes[0], operand.tuple_shapes[1]),
          "copy-done.C1", "the operand is the result of a copy-start");
  return operand.tuple_shapes[0];
}

}  // namespace

extern constinit const Op op_copy_done{.name = "copy-done",
                                       .min_operands = 1,
                                       .max_operands = 1,
                                       .infer = infer,
                                       .accuracy = {.moves_data = true}};

}  // namespace hlo
