// spec/ops/fusion.md
#include <algorithm>

#include "interpreter/callee.h"
#include "interpreter/error.h"
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"kind", AttributeKind::kWord, /*required=*/true,
     "kLoop kInput kOutput kCustom"},
    {"output_to_operand_aliasing", AttributeKind::kAliasing},
    {"calls", AttributeKind::kComputation, /*required=*/true}};

/// Whether every instruction but the root has a user.
bool is_connected(const Computation& computation) {
  std::vector<bool> used(computation.instructions.size(), false);
  used[static_cast<size_t>(computation.root->position)] = true;
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) {
      used[static_cast<size_t>(operand->position)] = true;
    }
  }
  return std::ranges::find(used, false) == used.end();
}

Shape infer(const Instruction& fusion) {
  const auto* callee = fusion.get<Computation*>("calls");
  require_takes(*callee, operand_shapes(fusion), "fusion.C1");
  require(is_connected(*callee), "fusion.C2",
          "every instruction of the fused computation but its root is used");
  return callee->root->shape;
}

Progress control(const Instruction& fusion, Operands operands,
                 ControlState& state) {
  return run_once(fusion, "calls", operands, state);
}

}  // namespace

extern constinit const Op op_fusion{
    .name = "fusion",
    .min_operands = 0,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .control = control,
    .accuracy = {.kind = Accuracy::Kind::kInherit}};

}  // namespace hlo
