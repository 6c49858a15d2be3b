// spec/ops/constant.md
#include "interpreter/error.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& constant) { return given_shape(constant); }

Literal value(const Instruction& constant, Operands, Evaluator&) {
  require_evaluable(constant.literal != nullptr, "constant.elided",
                    {"the elements of the constant are {...}"},
                    "the text must give those of a constant that is used");
  return constant.literal->with_shape(constant.shape);
}

}  // namespace

extern constinit const Op op_constant{.name = "constant",
                                      .form = Form::kConstant,
                                      .infer = infer,
                                      .value = value,
                                      .accuracy = {.moves_data = true}};

}  // namespace hlo
