#include "backends/tpu/run/on_tiles.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "backends/tpu/operations/contraction/contract.h"
#include "backends/tpu/operations/fills/index_lanes.h"
#include "backends/tpu/operations/fills/random_lanes.h"
#include "backends/tpu/operations/gathered_slices.h"
#include "backends/tpu/operations/operations.h"
#include "backends/tpu/operations/parts/merged_lines.h"
#include "backends/tpu/operations/parts/numbered_lines.h"
#include "backends/tpu/operations/parts/parts.h"
#include "backends/tpu/operations/updates/update_registers.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/work.h"

namespace hlo::tpu {
namespace {

using Arrays = std::vector<TiledArray>;

/// By the kind of the operation's definition.
std::optional<Arrays> by_kind(Machine& machine, const Instruction& instruction,
                              const Values& operands,
                              const std::vector<Shape>& shapes) {
  const Op& op = *instruction.op;
  if (op.updates != nullptr) {
    return instruction.find("select") == nullptr
               ? scattered(machine, instruction, operands, shapes)
               : Arrays{selected_and_scattered(machine, instruction, operands,
                                               shapes.at(0))};
  }
  if (op.cells != nullptr) return fold(machine, instruction, operands, shapes);
  if (is_contraction(instruction)) {
    return Arrays{contract(machine, instruction, operands, shapes.at(0))};
  }
  if (op.element != nullptr) {
    return Arrays{elementwise(machine, instruction, operands, shapes.at(0))};
  }
  if (op.takes("start_index_map")) {
    return Arrays{
        gathered_slices(machine, instruction, operands, shapes.at(0))};
  }
  if (op.source != nullptr) {
    return Arrays{movement(machine, instruction, operands, shapes.at(0))};
  }
  if (op.form == Form::kMap) {
    return Arrays{map_lanes(machine, instruction, operands, shapes.at(0))};
  }
  return std::nullopt;
}

/// Arrays that are filled without arrays to read.
std::optional<Arrays> by_filling(Machine& machine,
                                 const Instruction& instruction,
                                 const Values& operands,
                                 const std::vector<Shape>& shapes) {
  if (instruction.op->name == "iota") {
    return Arrays{indices_in_lanes(machine, instruction, shapes.at(0))};
  }
  switch (instruction.op->randomness) {
    case Randomness::kNumbers:
      return Arrays{
          random_numbers(machine, instruction, operands, shapes.at(0))};
    case Randomness::kBits:
      return random_bits(machine, instruction, operands, shapes);
    case Randomness::kState:
      return Arrays{random_state(machine, instruction, shapes.at(0))};
    default:
      return std::nullopt;
  }
}

/// Arrays of separate parts: as many as fit at a time, or each part in pieces.
std::optional<Arrays> by_splitting(Machine& machine,
                                   const Instruction& instruction,
                                   const Split& split, const Values& operands,
                                   const Leaves& shapes,
                                   const RunProgram& run) {
  const Scratch& scratch = machine.scratch;
  if (room_for_part(instruction, split) <= scratch.size() - scratch.held()) {
    return by_parts(machine, instruction, split, operands, shapes);
  }
  if (instruction.op->name != "sort") {
    return by_blocks(machine, instruction, operands, shapes, run);
  }
  if (rows_of_runs(instruction, scratch.size()) == 0) {
    return sorted_by_numbers(machine, instruction, operands, shapes);
  }
  return sorted_by_merging(machine, instruction, operands, shapes);
}

/// That of loading the operands, whose registers are loaded whole, however few
/// elements they have. Lanes of less than a byte are loaded one by one.
int64_t work_of_registers(const Values& operands) {
  constexpr int64_t kWorkOfPackedLane = 8;  // units, as measured of s4
  int64_t lanes = 0;
  for (const Value* operand : operands) {
    if (!operand->shape.is_array()) continue;
    const bool is_packed = operand->array.slot_bits() < 8;
    lanes +=
        operand->array.order->lanes() * (is_packed ? kWorkOfPackedLane : 1);
  }
  return lanes;
}

}  // namespace

std::optional<std::vector<TiledArray>> on_tiles(Machine& machine,
                                                const Instruction& instruction,
                                                const Values& operands,
                                                const Leaves& shapes,
                                                const RunProgram& run) {
  if (const auto split = split_of(instruction)) {
    return by_splitting(machine, instruction, *split, operands, shapes, run);
  }
  machine.evaluator.budget().spend(
      std::max(work_of(instruction), work_of_registers(operands)));
  if (auto arrays = by_filling(machine, instruction, operands, shapes)) {
    return arrays;
  }
  return by_kind(machine, instruction, operands, shapes);
}

}  // namespace hlo::tpu
