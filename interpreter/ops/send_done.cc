// spec/ops/send_done.md
#include "interpreter/device_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& done) {
  data_of_transfer(done, "send-done.C1", "the operand is the result of a send");
  return Shape::token();
}

}  // namespace

extern constinit const Op op_send_done{.name = "send-done",
                                       .min_operands = 1,
                                       .max_operands = 1,
                                       .attributes = kTransferAttributes,
                                       .infer = infer,
                                       .accuracy = {.moves_data = true}};

}  // namespace hlo
