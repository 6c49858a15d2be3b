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
                                       .infer = infer,
                                       .value = value,
                                       .accuracy = {.moves_data = true}};

}  // namespace hlo
