// spec/ops/outfeed.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"outfeed_shape", AttributeKind::kShape},
    {"outfeed_config", AttributeKind::kString},
};

Shape infer(const Instruction& outfeed) {
  const Shape& data = outfeed.operand_shape(0);
  require(outfeed.operand_shape(1).is_token(), "outfeed.C1",
          {"the second operand is ", outfeed.operand_shape(1)},
          "it must be a token");
  require(compatible(outfeed.get_or<Shape>("outfeed_shape", data), data, true),
          "outfeed.C2",
          {"outfeed_shape is ", outfeed.get_or<Shape>("outfeed_shape", data),
           " and the data is ", data},
          "the two must be equal");
  return Shape::token();
}

Future communicate(const Instruction& /*outfeed*/, Operands operands,
                   Evaluator& evaluator) {
  evaluator.network().record_outfeed(evaluator.device(), operands[0]);
  return at_once(operands[1]);
}

}  // namespace

extern constinit const Op op_outfeed{.name = "outfeed",
                                     .min_operands = 2,
                                     .max_operands = 2,
                                     .attributes = kAttributes,
                                     .infer = infer,
                                     .communicate = communicate,
                                     .accuracy = {.moves_data = true},
                                     .derives_shape = true};

}  // namespace hlo
