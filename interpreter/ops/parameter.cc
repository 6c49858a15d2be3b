// spec/ops/parameter.md
#include "interpreter/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& parameter) { return given_shape(parameter); }

}  // namespace

constinit const Op op_parameter{.name = "parameter", .infer = infer};

}  // namespace hlo
