#include "conformance/explain/rules/explain_movement.h"

#include "conformance/explain/rules/movement_steps.h"
#include "interpreter/plans/movement/movement.h"

namespace hlo::conformance {
namespace {

/// The index operands that the steps have named.
void use_index_operands(Story& story) {
  const Point& point = story.point();
  const std::string_view name = point.instruction().op->name;
  const size_t first = name == "dynamic-slice"          ? 1
                       : name == "dynamic-update-slice" ? 2
                                                        : SIZE_MAX;
  for (size_t k = first; k < point.run.operands.size(); ++k) {
    const Shape& shape = point.run.operands[k].shape();
    story.use({point.instruction().operands[k], {}, Index(shape.dims.size())});
  }
}

}  // namespace

void explain_movement(Story& story) {
  const Point& point = story.point();
  const Instruction& instruction = point.instruction();
  const Operands operands = point.run.operands;
  const Source source =
      source_of(instruction.op->movement(instruction, operands),
                instruction.shape, operands, point.position);
  Steps steps = movement_steps(instruction, operands, point.index);
  for (std::string& line : steps.lines) story.say(std::move(line));
  if (source.operand == Movement::kZeros) {
    story.copy_of(Scalar{point.array.type(), {}}, "a zero");
    return;
  }
  const auto k = static_cast<size_t>(source.operand);
  if (steps.index) {
    const bool agree =
        linearize(*steps.index, operands[k].shape().dims) == source.position;
    story.note_steps(agree);
  }
  story.copy(k, source.position);
  use_index_operands(story);
}

}  // namespace hlo::conformance
