// spec/ops/send.md
#include "interpreter/device_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& send) {
  const bool in_order = send.operand_shape(1).is_token();
  require(in_order || send.operand_shape(0).is_token(), "send.C1",
          "one operand is the data, the other a token");
  return transfer_state(send.operand_shape(in_order ? 0 : 1));
}

}  // namespace

extern constinit const Op op_send{.name = "send",
                                  .min_operands = 2,
                                  .max_operands = 2,
                                  .attributes = kTransferAttributes,
                                  .infer = infer,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
