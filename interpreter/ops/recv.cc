// spec/ops/recv.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/transfer_rules.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

Shape infer(const Instruction& recv) {
  const Shape& result = given_shape(recv);
  require(recv.operand_shape(0).is_token(), "recv.C1",
          {"the operand is ", recv.operand_shape(0)}, "it must be a token");
  require(result.is_tuple() && !result.tuple_shapes.empty(), "recv.C2",
          {"the result is ", result},
          "it must be a tuple that begins with the data");
  return transfer_state(result.tuple_shapes[0]);
}

Future communicate(const Instruction& recv, Operands operands,
                   Evaluator& evaluator) {
  const Shape& data = recv.shape.tuple_shapes[0];
  Network& network = evaluator.network();
  Future received =
      recv.get_or<bool>("is_host_transfer", false)
          ? at_once(Literal::tuple({network.take_infeed(data), operands[0]}))
          : network.receive(recv, data, evaluator.device());
  return begun(Literal(data), operands[0], std::move(received), network);
}

}  // namespace

extern constinit const Op op_recv{.name = "recv",
                                  .min_operands = 1,
                                  .max_operands = 1,
                                  .attributes = kTransferAttributes,
                                  .infer = infer,
                                  .communicate = communicate,
                                  .accuracy = {.moves_data = true},
                                  .check = check_transfer,
                                  .derives_shape = true};

}  // namespace hlo
