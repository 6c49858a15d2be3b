// spec/ops/send_done.md
#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"is_host_transfer", AttributeKind::kBool},
};

Shape infer(const Instruction& done) {
  const Shape& operand = done.operand_shape(0);
  require(operand.is_tuple() && operand.tuple_shapes.size() == 3 &&
              operand.tuple_shapes[2].is_token(),
          "send-done.C1", "the operand is the result of a send");
  return Shape::token();
}

}  // namespace

extern constinit const Op op_send_done{.name = "send-done",
                                       .min_operands = 1,
                                       .max_operands = 1,
                                       .attributes = kAttributes,
                                       .infer = infer,
                                       .accuracy = {.moves_data = true}};

}  // namespace hlo
