#include "conformance/sets/lanes.h"

#include <utility>

namespace hlo::conformance {
namespace {

Instruction* append(Instruction instruction, Computation& computation) {
  instruction.shape = Shape::scalar(instruction.shape.element_type);
  instruction.parent = &computation;
  instruction.position = std::ssize(computation.instructions);
  computation.instructions.push_back(
      std::make_unique<Instruction>(std::move(instruction)));
  return computation.instructions.back().get();
}

std::unique_ptr<Computation> on_scalars(Instruction instruction) {
  auto computation = std::make_unique<Computation>();
  for (Instruction*& operand : instruction.operands) {
    Instruction parameter;
    parameter.parameter_number = std::ssize(computation->parameters);
    parameter.shape = operand->shape;
    operand = append(std::move(parameter), *computation);
    computation->parameters.push_back(operand);
  }
  computation->root = append(std::move(instruction), *computation);
  return computation;
}

}  // namespace

Lanes::Lanes(const Instruction& instruction)
    : computation_(on_scalars(instruction)),
      region_(*computation_, evaluator_),
      scratch_(region_, 1) {}

Scalar Lanes::apply(std::span<const Scalar> operands) {
  return region_.apply(scratch_, operands)[0];
}

}  // namespace hlo::conformance
