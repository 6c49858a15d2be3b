// spec/ops/all_reduce_start.md
#include "interpreter/device_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& reduction) {
  return all_reduced(reduction, "all-reduce-start.C1", "all-reduce-start.C2");
}

}  // namespace

extern constinit const Op op_all_reduce_start{
    .name = "all-reduce-start",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAllReduceAttributes,
    .infer = infer,
    .accuracy = {Accuracy::Kind::kInherit}};

}  // namespace hlo
