#include "backends/tpu/blocks/block_program.h"

#include <map>
#include <string>
#include <string_view>

#include "backends/tpu/blocks/block_rules.h"
#include "interpreter/builder/xla_builder.h"
#include "interpreter/foreign/targets.h"

namespace hlo::tpu {
namespace {

using BlockRule = builder::XlaOp (*)(const BlockTask&);

BlockRule rule_of(std::string_view name) {
  static const std::map<std::string_view, BlockRule> rules = {
      {"batch-norm-grad", batch_norm_grad_by_sums},
      {"batch-norm-training", batch_norm_training_by_sums},
      {"cholesky", cholesky_by_halves},
      {"fft", fft_by_passes},
      {"topk", topk_by_sorting},
      {"triangular-solve", triangular_solve_by_halves}};
  const auto found = rules.find(name);
  return found == rules.end() ? nullptr : found->second;
}

}  // namespace

std::optional<builder::XlaComputation> block_program(
    const Instruction& instruction, int64_t room, Fault fault) {
  const BlockRule rule = rule_of(function_name(*instruction.op));
  if (rule == nullptr) return std::nullopt;
  builder::XlaBuilder builder("blocks");
  BlockTask task{builder, instruction, {}, room, fault};
  for (const Instruction* operand : instruction.operands) {
    const auto number = std::ssize(task.operands);
    task.operands.push_back(builder::Parameter(
        &builder, number, operand->shape, "operand" + std::to_string(number)));
  }
  return builder.Build(rule(task));
}

}  // namespace hlo::tpu
