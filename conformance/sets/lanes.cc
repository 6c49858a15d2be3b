#include "conformance/sets/lanes.h"

#include <utility>

namespace hlo::conformance {

Lanes::Lanes(Instruction instruction) : instruction_(std::move(instruction)) {
  for (Instruction*& operand : instruction_.operands) {
    parameters_.push_back(std::make_unique<Instruction>(*operand));
    operand = parameters_.back().get();
  }
}

void Lanes::set_length(int64_t n) {
  for (const auto& parameter : parameters_) {
    parameter->shape = Shape::array(parameter->shape.element_type, {n});
  }
  instruction_.shape = Shape::array(instruction_.shape.element_type, {n});
}

Literal Lanes::apply(std::span<const Literal> operands, int64_t n) {
  set_length(n);
  return evaluate_instruction(instruction_, operands, evaluator_);
}

Scalar Lanes::apply(std::span<const Scalar> operands) {
  std::vector<Literal> literals;
  for (const Scalar& operand : operands) {
    literals.push_back(
        Literal::splat(Shape::array(operand.type, {1}), operand));
  }
  return apply(literals, 1).at(int64_t{0});
}

}  // namespace hlo::conformance
