// spec/ops/all_reduce.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/group_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& reduction) {
  return all_reduced(reduction, "all-reduce.C1", "all-reduce.C2");
}

Future communicate(const Instruction& reduction, Operands operands,
                   Evaluator& evaluator) {
  return meet(reduction, operands, reduce_all, evaluator);
}

}  // namespace

extern constinit const Op op_all_reduce{.name = "all-reduce",
                                        .min_operands = 1,
                                        .max_operands = -1,
                                        .attributes = kAllReduceAttributes,
                                        .infer = infer,
                                        .communicate = communicate,
                                        .accuracy = {Accuracy::Kind::kInherit},
                                        .check = check_groups};

}  // namespace hlo
