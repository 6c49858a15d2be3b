// spec/ops/recv.md
#include "interpreter/device_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& recv) {
  const Shape& result = given_shape(recv);
  require(recv.operand_shape(0).is_token(), "recv.C1",
          "the operand is a token");
  require(result.is_tuple() && !result.tuple_shapes.empty(), "recv.C2",
          "the result is a tuple that begins with the data");
  return transfer_state(result.tuple_shapes[0]);
}

}  // namespace

extern constinit const Op op_recv{.name = "recv",
                                  .min_operands = 1,
                                  .max_operands = 1,
                                  .attributes = kTransferAttributes,
                                  .infer = infer,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
