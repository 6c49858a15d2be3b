// spec/ops/opt_barrier.md
#include "interpreter/rules/forms.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& barrier) { return barrier.operand_shape(0); }

}  // namespace

extern constinit const Op op_opt_barrier{.name = "opt-barrier",
                                         .form = Form::kIdentity,
                                         .min_operands = 1,
                                         .max_operands = 1,
                                         .infer = infer,
                                         .value = first_operand,
                                         .accuracy = {.moves_data = true},
                                         .takes_sizes = true,
                                         .holds_buffers = true,
                                         .carries_async = true};

}  // namespace hlo
