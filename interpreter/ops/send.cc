// spec/ops/send.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/transfer_rules.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

Shape infer(const Instruction& send) {
  const bool in_order = send.operand_shape(1).is_token();
  require(in_order || send.operand_shape(0).is_token(), "send.C1",
          {"the operands are ", OperandShapes{send}},
          "one must be the data, the other a token");
  return transfer_state(send.operand_shape(in_order ? 0 : 1));
}

Future communicate(const Instruction& send, Operands operands,
                   Evaluator& evaluator) {
  const bool in_order = send.operand_shape(1).is_token();
  const Literal& data = operands[in_order ? 0 : 1];
  const Literal& token = operands[in_order ? 1 : 0];
  Network& network = evaluator.network();
  Future sent = at_once(token);
  if (send.get_or<bool>("is_host_transfer", false)) {
    network.record_outfeed(evaluator.device(), data);
  } else {
    sent =
        network.send(send, Literal::tuple({data, token}), evaluator.device());
  }
  return begun(data, token, std::move(sent), network);
}

}  // namespace

extern constinit const Op op_send{.name = "send",
                                  .min_operands = 2,
                                  .max_operands = 2,
                                  .attributes = kTransferAttributes,
                                  .infer = infer,
                                  .communicate = communicate,
                                  .accuracy = {.moves_data = true},
                                  .check = check_transfer,
                                  .derives_shape = true};

}  // namespace hlo
