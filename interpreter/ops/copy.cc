// spec/ops/copy.md
#include "interpreter/movement.h"

namespace hlo {
namespace {

Shape infer(const Instruction& copy) { return copy.operand_shape(0); }

Movement movement(const Instruction& copy, Operands) {
  return move_whole(0, copy.shape.element_count());
}

}  // namespace

extern constinit const Op op_copy{.name = "copy",
                                  .min_operands = 1,
                                  .max_operands = 1,
                                  .infer = infer,
                                  .movement = movement,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
