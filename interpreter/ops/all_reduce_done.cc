// spec/ops/all_reduce_done.md
#include "interpreter/devices/communication.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& done) { return done.operand_shape(0); }

}  // namespace

extern constinit const Op op_all_reduce_done{
    .name = "all-reduce-done",
    .min_operands = 1,
    .max_operands = 1,
    .infer = infer,
    .communicate = finish,
    .accuracy = {Accuracy::Kind::kInherit}};

}  // namespace hlo
