#include "conformance/fuzz/mutate_program.h"

#include <exception>
#include <vector>

#include "conformance/random/draw.h"
#include "conformance/random/testing/changed_program.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

Computation& any_computation(Module& module, Draw& draw) {
  return *draw.of(module.computations);
}

/// Another one of the instructions before it becomes an operand.
void change_operand(Module& module, Draw& draw) {
  Computation& computation = any_computation(module, draw);
  const auto last = std::ssize(computation.instructions) - 1;
  const auto place = static_cast<size_t>(draw.between(0, last));
  Instruction& instruction = *computation.instructions[place];
  if (instruction.operands.empty() || place == 0) return;
  const auto operand = static_cast<size_t>(
      draw.between(0, std::ssize(instruction.operands) - 1));
  const auto other =
      static_cast<size_t>(draw.between(0, static_cast<int64_t>(place) - 1));
  instruction.operands[operand] = computation.instructions[other].get();
}

void change_root(Module& module, Draw& draw) {
  Computation& computation = any_computation(module, draw);
  computation.root = draw.of(computation.instructions).get();
}

/// Another operation takes the place of one.
void change_operation(Module& module, Draw& draw) {
  const Computation& computation = any_computation(module, draw);
  Instruction& instruction = *draw.of(computation.instructions);
  const Op* const other = draw.of(all_ops());
  if (instruction.op->form != other->form) return;
  instruction.op = other;
}

/// The shapes that follow from others are derived again.
void forget_shapes(Module& module) {
  module.entry_layout.reset();
  for (const auto& computation : module.computations) {
    computation->declared_result.reset();
    for (const auto& instruction : computation->instructions) {
      const Form form = instruction->op->form;
      instruction->has_shape =
          instruction->has_shape &&
          (form == Form::kParameter || form == Form::kConstant);
    }
  }
}

struct Mutant {
  std::string text;
  bool is_valid = false;
};

/// The text with all shapes where the module is valid, else as it is.
Mutant mutant_of(Module& module) {
  bool is_valid = true;
  try {
    verify(module);
  } catch (const Error&) {
    is_valid = false;
  }
  return {text::print(module), is_valid};
}

Mutant rewired(std::string_view source, Draw& draw) {
  Module module = text::parse(source);
  const int64_t kind = draw.between(0, 3);
  if (kind == 0) change_root(module, draw);
  if (kind == 1) change_operation(module, draw);
  if (kind >= 2) change_operand(module, draw);
  if (draw.one_in(2)) forget_shapes(module);
  return mutant_of(module);
}

Mutant changed(std::string_view source, Draw& draw) {
  static ProgramChanger changer;  // learns which shapes must be given
  const int64_t count = ProgramChanger::count(source);
  if (count == 0) return {std::string(source)};
  const int64_t n = draw.between(0, count - 1);
  std::string what;
  try {
    return {text::print(changer.verified(source, n, what)), true};
  } catch (const Error&) {
    return {text::print(changer.changed(source, n, what))};
  }
}

}  // namespace

std::optional<std::string> mutated_program(std::string_view source,
                                           uint64_t seed) {
  Draw draw(seed);
  const int64_t tries = draw.one_in(4) ? 1 : 4;
  try {
    Mutant mutant;
    for (int64_t i = 0; i < tries && !mutant.is_valid; ++i) {
      mutant = draw.one_in(3) ? rewired(source, draw) : changed(source, draw);
    }
    return mutant.text;
  } catch (const std::exception&) {  // some have no text
    return std::nullopt;
  }
}

}  // namespace hlo::conformance
