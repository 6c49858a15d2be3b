// spec/ops/recv_done.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/transfer_rules.h"
#include "interpreter/run/evaluator.h"

namespace hlo {

extern const Op op_recv;

namespace {

Shape infer(const Instruction& done) {
  return Shape::tuple({data_of_transfer(done, "recv-done.C1",
                                        "it must be the result of a recv"),
                       Shape::token()});
}

Future communicate(const Instruction& /*done*/, Operands operands,
                   Evaluator& evaluator) {
  return ended(operands[0], evaluator.network());
}

}  // namespace

extern constinit const Op op_recv_done{.name = "recv-done",
                                       .min_operands = 1,
                                       .max_operands = 1,
                                       .attributes = kTransferAttributes,
                                       .infer = infer,
                                       .communicate = communicate,
                                       .accuracy = {.moves_data = true},
                                       .check = check_transferred,
                                       .start = &op_recv,
                                       .derives_shape = true};

}  // namespace hlo
