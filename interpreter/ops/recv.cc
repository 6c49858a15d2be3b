// spec/ops/recv.md
#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"is_host_transfer", AttributeKind::kBool},
};

Shape infer(const Instruction& recv) {
  const Shape& result = given_shape(recv);
  require(recv.operand_shape(0).is_token(), "recv.C1",
          "the operand is a token");
  require(result.is_tuple() && result.tuple_shapes.size() == 3 &&
              result.tuple_shapes[1].element_type == ElementType::kU32 &&
              result.tuple_shapes[2].is_token(),
          "recv.C2", "the result is the data, a u32 context and a token");
  return result;
}

}  // namespace

extern constinit const Op op_recv{.name = "recv",
                                  .min_operands = 1,
                                  .max_operands = 1,
                                  .attributes = kAttributes,
                                  .infer = infer,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
