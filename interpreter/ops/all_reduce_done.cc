// spec/ops/all_reduce_done.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/async_rules.h"
#include "interpreter/rules/op.h"

namespace hlo {

extern const Op op_all_reduce_start;

namespace {

Shape infer(const Instruction& done) { return done.operand_shape(0); }

}  // namespace

extern constinit const Op op_all_reduce_done{
    .name = "all-reduce-done",
    .min_operands = 1,
    .max_operands = 1,
    .infer = infer,
    .communicate = finish,
    .accuracy = {Accuracy::Kind::kInherit},
    .check = check_ended,
    .start = &op_all_reduce_start};

}  // namespace hlo
