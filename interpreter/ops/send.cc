// spec/ops/send.md
#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"is_host_transfer", AttributeKind::kBool},
};

Shape infer(const Instruction& send) {
  const bool in_order = send.operand_shape(1).is_token();
  require(in_order || send.operand_shape(0).is_token(), "send.C1",
          "one operand is the data, the other a token");
  return Shape::tuple({send.operand_shape(in_order ? 0 : 1),
                       Shape::scalar(ElementType::kU32), Shape::token()});
}

}  // namespace

extern constinit const Op op_send{.name = "send",
                                  .min_operands = 2,
                                  .max_operands = 2,
                                  .attributes = kAttributes,
                                  .infer = infer,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
