// spec/ops/fusion.md
#include "interpreter/rules/callee.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"kind", AttributeKind::kWord, /*required=*/true,
     "kLoop kInput kOutput kCustom"},
    {"output_to_operand_aliasing", AttributeKind::kAliasing},
    {"calls", AttributeKind::kComputation, /*required=*/true}};

Shape infer(const Instruction& fusion) {
  require_same_thread(fusion, *fusion.get<Computation*>("calls"),
                      "module.thread");
  return called_shape(fusion, "calls", "fusion.C1");
}

Progress control(const Instruction& fusion, Operands operands,
                 ControlState& state, Evaluator&) {
  return run_once(fusion, "calls", operands, state);
}

}  // namespace

extern constinit const Op op_fusion{
    .name = "fusion",
    .form = Form::kCall,
    .min_operands = 0,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .control = control,
    .accuracy = {.kind = Accuracy::Kind::kInherit},
    .holds_buffers = true};

}  // namespace hlo
