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
  Shape result =
      Shape::tuple({send.operand_shape(in_order ? 0 : 1),
                    Shape::scalar(ElementType::kU32), Shape::token()});
  if (!send.has_shape || send.shape.tuple_shapes.size() != 3) return result;
  // The text says how many words of context there are.
  const Shape& context = send.shape.tuple_shapes[1];
  require(context.element_type == ElementType::kU32, "send.C2",
          "the result is the data, a context of type u32, and a token");
  result.tuple_shapes[1] = context;
  return result;
}

}  // namespace

extern constinit const Op op_send{.name = "send",
                                  .min_operands = 2,
                                  .max_operands = 2,
                                  .attributes = kAttributes,
                                  .infer = infer,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
