// spec/ops/all_reduce_start.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/async_rules.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/group_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& reduction) {
  return all_reduced(reduction, "all-reduce-start.C1", "all-reduce-start.C2");
}

Future communicate(const Instruction& reduction, Operands operands,
                   Evaluator& evaluator) {
  return begin(reduction, meet(reduction, operands, reduce_all, evaluator),
               evaluator);
}

void check(const Surroundings& around) {
  check_groups(around);
  check_started(around);
}

}  // namespace

extern constinit const Op op_all_reduce_start{
    .name = "all-reduce-start",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAllReduceAttributes,
    .infer = infer,
    .communicate = communicate,
    .accuracy = {Accuracy::Kind::kInherit},
    .check = check};

}  // namespace hlo
