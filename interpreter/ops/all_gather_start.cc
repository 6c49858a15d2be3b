// spec/ops/all_gather_start.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/async_rules.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/group_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& start) {
  const Shape& result = given_shape(start);
  require(result.is_tuple() && result.tuple_shapes.size() == 2 &&
              compatible(result.tuple_shapes[0],
                         one_or_tuple(operand_shapes(start)), true),
          "all-gather-start.C1",
          {"the operands are ", OperandShapes{start}, " and the result is ",
           result},
          "the result must be a pair of the operands and the gathered arrays");
  check_gathered(start, split(result.tuple_shapes[1], start.operands.size(),
                              "all-gather.C5"));
  return result;
}

Future communicate(const Instruction& start, Operands operands,
                   Evaluator& evaluator) {
  return begin(start, meet(start, operands, gather_all, evaluator), evaluator);
}

void check(const Surroundings& around) {
  check_gathering(around, around.instruction.shape.tuple_shapes[1]);
  check_started(around);
}

}  // namespace

extern constinit const Op op_all_gather_start{
    .name = "all-gather-start",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAllGatherAttributes,
    .infer = infer,
    .communicate = communicate,
    .accuracy = {.moves_data = true},
    .check = check};

}  // namespace hlo
