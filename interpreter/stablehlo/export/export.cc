#include "interpreter/stablehlo/export/export.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "interpreter/arithmetic_state.h"
#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/export/export_bitcast.h"
#include "interpreter/stablehlo/export/export_chlo.h"
#include "interpreter/stablehlo/export/export_control.h"
#include "interpreter/stablehlo/export/export_devices.h"
#include "interpreter/stablehlo/export/export_elementwise.h"
#include "interpreter/stablehlo/export/export_linear.h"
#include "interpreter/stablehlo/export/export_movement.h"
#include "interpreter/stablehlo/export/export_region.h"
#include "interpreter/stablehlo/export/export_text.h"
#include "interpreter/stablehlo/export/export_verbatim.h"
#include "interpreter/stablehlo/export/export_writer.h"
#include "interpreter/stablehlo/mlir_words.h"

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

Exporter find_exporter(std::string_view opcode) {
  for (const auto& rows :
       {elementwise_exporters(), movement_exporters(), region_exporters(),
        linear_exporters(), control_exporters(), device_exporters(),
        chlo_exporters(), bitcast_exporters()}) {
    for (const ExportRow& row : rows) {
      if (row.opcode == opcode) return row.exporter;
    }
  }
  return nullptr;
}

/// What hands a value on may say another floating-point type than the value's,
/// which StableHLO converts to.
void convert(Writer& writer, const Instruction& instruction, Leaves& result) {
  const std::vector<Shape> shapes = leaf_shapes(instruction.shape);
  if (shapes.size() != result.size()) return;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!shapes[i].is_array() || !is_float(shapes[i].element_type)) continue;
    result[i] = writer.converted(result[i], shapes[i].element_type);
  }
}

Leaves write(Writer& writer, const Instruction& instruction) {
  Leaves result;
  const Exporter exporter = find_exporter(instruction.op->name);
  if (exporter != nullptr && exporter(writer, instruction, result)) {
    convert(writer, instruction, result);
    return result;
  }
  return export_verbatim(writer, instruction);
}

ExportState state_of(const Module& module) {
  ExportState state;
  state.module = &module;
  state.write = write;
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

std::string print(const Module& module) {
  const ReferenceArithmetic arithmetic;
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
