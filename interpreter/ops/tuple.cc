// spec/ops/tuple.md
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& tuple) {
  return Shape::tuple(operand_shapes(tuple));
}

Literal value(const Instruction&, Operands operands, Evaluator&) {
  return Literal::tuple({operands.begin(), operands.end()});
}

}  // namespace

extern constinit const Op op_tuple{.name = "tuple",
                                   .form = Form::kTuple,
                                   .min_operands = 0,
                                   .max_operands = -1,
                                   .infer = infer,
                                   .value = value,
                                   .accuracy = {.moves_data = true},
                                   .takes_sizes = true,
                                   .holds_buffers = true};

}  // namespace hlo
