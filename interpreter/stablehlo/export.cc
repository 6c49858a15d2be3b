#include "interpreter/stablehlo/export.h"

#include <fmt/format.h>

#include "interpreter/clone.h"
#include "interpreter/op.h"
#include "interpreter/stablehlo/export_writer.h"
#include "interpreter/text/printer.h"

namespace hlo::stablehlo {
namespace {

void count_uses(const Instruction& instruction,
                std::map<const Computation*, int64_t>& uses) {
  for (const auto& [name, value] : instruction.attributes) {
    if (const auto* one = std::get_if<Computation*>(&value)) ++uses[*one];
    if (const auto* several = std::get_if<Computations>(&value)) {
      for (const Computation* computation : *several) ++uses[computation];
    }
  }
}

void note_user(
    const Instruction& instruction,
    std::unordered_map<const Instruction*, const Instruction*>& users) {
  for (const Instruction* operand : instruction.operands) {
    const auto [user, is_new] = users.try_emplace(operand, &instruction);
    if (!is_new) user->second = nullptr;
  }
}

ExportState state_of(const Module& module) {
  ExportState state;
  state.module = &module;
  state.taken.insert("main");
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      count_uses(*instruction, state.uses);
      note_user(*instruction, state.users);
    }
  }
  return state;
}

}  // namespace

Leaves plain(Writer& writer, const Instruction& instruction,
             std::string_view name, std::string properties,
             std::vector<RegionText> regions, std::string_view dialect) {
  return writer.add({.dialect = dialect,
                     .name = std::string(name),
                     .operands = writer.operands(instruction),
                     .properties = std::move(properties),
                     .regions = std::move(regions),
                     .results = leaf_shapes(instruction.shape)},
                    &instruction);
}

Leaves export_verbatim(Writer& writer, const Instruction& instruction) {
  Module module = extract(instruction);
  module.replica_count = writer.module().replica_count;
  module.num_partitions = writer.module().num_partitions;
  const bool has_effect = instruction.op->communicate != nullptr;
  const std::string target = fmt::format("hlo.{}", instruction.op->name);
  return writer.add(
      {.name = "custom_call",
       .operands = writer.operands(instruction),
       .properties = fmt::format("call_target_name = {}, has_side_effect = {}, "
                                 "backend_config = {}",
                                 string_text(target), has_effect,
                                 string_text(text::print(module))),
       .results = leaf_shapes(instruction.shape)},
      nullptr);
}

std::string print(const Module& module) {
  ExportState state = state_of(module);
  std::string text = fmt::format(
      "module @{} attributes {{mhlo.num_partitions = {} : i32, "
      "mhlo.num_replicas = {} : i32}} {{\n",
      string_text(module.name), module.num_partitions, module.replica_count);
  Writer(state, text).function(*module.entry, true);
  while (!state.waiting.empty()) {
    const Computation* next = state.waiting.back();
    state.waiting.pop_back();
    Writer(state, text).function(*next, false);
  }
  return text + "}\n";
}

}  // namespace hlo::stablehlo
