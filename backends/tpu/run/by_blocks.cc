#include "backends/tpu/run/by_blocks.h"

#include <iterator>
#include <memory>
#include <utility>

#include "backends/tpu/blocks/block_program.h"
#include "backends/tpu/run/laid_out.h"

namespace hlo::tpu {
namespace {

/// The instruction on operands in the layouts that they have.
class Laid {
 public:
  Laid(const Instruction& instruction, const Values& operands)
      : instruction_(instruction) {
    for (size_t k = 0; k < operands.size(); ++k) {
      operands_.push_back(
          std::make_unique<Instruction>(*instruction.operands[k]));
      operands_[k]->shape = operands[k]->array.shape;
      instruction_.operands[k] = operands_[k].get();
    }
  }

  const Instruction& instruction() const { return instruction_; }

 private:
  Instruction instruction_;
  std::vector<std::unique_ptr<Instruction>> operands_;
};

}  // namespace

std::optional<std::vector<TiledArray>> by_blocks(Machine& machine,
                                                 const Instruction& instruction,
                                                 const Values& operands,
                                                 const Leaves& shapes,
                                                 const RunProgram& run) {
  const Laid laid(instruction, operands);
  const auto program = block_program(laid.instruction(),
                                     machine.scratch.size() / 2, machine.fault);
  if (!program) return std::nullopt;
  const Module& module = program->module();
  machine.counters.splits += 1;
  machine.counters.pieces += std::ssize(module.entry->instructions);
  const LayoutPlan plan(module, *machine.generation);
  // Its instructions end with this run: what they count is this one's.
  auto counts = std::move(machine.by_instruction);
  const Counters given = machine.given;
  Value value = run(plan, *module.entry, operands);
  machine.by_instruction = std::move(counts);
  machine.given = given;
  value = laid_out(machine, std::move(value), shapes);
  std::vector<TiledArray> arrays;
  if (!value.shape.is_tuple()) return std::vector{value.array};
  for (Value& element : value.elements) {
    arrays.push_back(std::move(element.array));
  }
  return arrays;
}

}  // namespace hlo::tpu
