// spec/ops/infeed.md
#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"infeed_config", AttributeKind::kString},
};

Shape infer(const Instruction& infeed) {
  const Shape& result = given_shape(infeed);
  require(infeed.operand_shape(0).is_token(), "infeed.C1",
          "the operand is a token");
  require(result.is_tuple() && result.tuple_shapes.size() == 2 &&
              result.tuple_shapes[1].is_token(),
          "infeed.C2", "the result is a pair of the data and a token");
  return result;
}

}  // namespace

extern constinit const Op op_infeed{.name = "infeed",
                                    .min_operands = 1,
                                    .max_operands = 1,
                                    .attributes = kAttributes,
                                    .infer = infer,
                                    .accuracy = {.moves_data = true}};

}  // namespace hlo
