#include "backends/tpu/run/told_splits.h"

#include <fmt/format.h>

#include "backends/tpu/blocks/block_program.h"
#include "backends/tpu/operations/parts/merged_lines.h"
#include "backends/tpu/operations/parts/parts.h"
#include "interpreter/counted.h"

namespace hlo::tpu {
namespace {

/// How it is done in pieces; nothing where it is not.
std::string pieces_of(const Instruction& instruction, int64_t scratch) {
  if (const auto program = block_program(instruction, scratch / 2)) {
    return "a program on blocks of " +
           counted(std::ssize(program->module().entry->instructions),
                   "instruction");
  }
  const int64_t rows = rows_of_runs(instruction, scratch);
  if (rows == 0) return "";
  const auto d = static_cast<size_t>(instruction.get<Ints>("dimensions")[0]);
  const int64_t line = instruction.operand_shape(0).dims[d];
  return fmt::format("{} of {} at most are merged",
                     counted((line + rows - 1) / rows, "run"),
                     counted(rows, "row"));
}

}  // namespace

std::string told_splits(const LayoutPlan& plan, int64_t scratch) {
  std::string text;
  for (const Computation* computation : plan.computations()) {
    for (const auto& instruction : computation->instructions) {
      const auto split = split_of(*instruction);
      if (!split) continue;
      const int64_t room = room_for_part(*instruction, *split);
      if (room <= scratch) continue;
      const std::string pieces = pieces_of(*instruction, scratch);
      if (pieces.empty()) continue;
      text += fmt::format(
          "split of %{} {}: a part takes {}, the scratch memory has {}: {}\n",
          instruction->name, instruction->op->name, counted(room, "byte"),
          scratch, pieces);
    }
  }
  return text;
}

}  // namespace hlo::tpu
