// spec/ops/parameter.md
#include <stdexcept>

#include "interpreter/rules/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& parameter) { return given_shape(parameter); }

// The evaluator gives a computation's parameters their values.
Literal value(const Instruction&, Operands, Evaluator&) {
  throw std::logic_error("a parameter has no value of its own");
}

}  // namespace

extern constinit const Op op_parameter{.name = "parameter",
                                       .form = Form::kParameter,
                                       .infer = infer,
                                       .value = value,
                                       .accuracy = {.moves_data = true},
                                       .holds_buffers = true,
                                       .carries_async = true};

}  // namespace hlo
