// spec/ops/all_gather.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/group_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& gather) {
  const Shape& result = given_shape(gather);
  check_gathered(gather,
                 split(result, gather.operands.size(), "all-gather.C5"));
  return result;
}

Future communicate(const Instruction& gather, Operands operands,
                   Evaluator& evaluator) {
  return meet(gather, operands, gather_all, evaluator);
}

void check(const Surroundings& around) {
  check_gathering(around, around.instruction.shape);
}

}  // namespace

extern constinit const Op op_all_gather{.name = "all-gather",
                                        .min_operands = 1,
                                        .max_operands = -1,
                                        .attributes = kAllGatherAttributes,
                                        .infer = infer,
                                        .communicate = communicate,
                                        .accuracy = {.moves_data = true},
                                        .check = check};

}  // namespace hlo
