// spec/ops/constant.md
#include "interpreter/error.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& constant) { return given_shape(constant); }

Literal value(const Instruction& constant, Operands, Evaluator&) {
  require_evaluable(constant.literal != nullptr, "constant.elided",
                    "the text gives the elements of a constant that is used, "
                    "not {...}");
  return constant.literal->with_shape(constant.shape);
}

}  // namespace

extern constinit const Op op_constant{.name = "constant",
                                      .infer = infer,
                                      .value = value,
                                      .accuracy = {.moves_data = true}};

}  // namespace hlo
