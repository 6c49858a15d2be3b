#include "interpreter/verify.h"

#include <algorithm>
#include <string>

#include "interpreter/op.h"
#include "interpreter/verify_rules.h"

namespace hlo {
namespace {

/// The error with the instruction that it is about.
Error at(const Error& error, const Instruction& instruction) {
  return {error.phase(), error.rule(),
          error.message() + ": " + summary(instruction), instruction.location};
}

void check_layouts(const Shape& shape) {
  validate_layout(shape);
  for (const Shape& element : shape.tuple_shapes) check_layouts(element);
}

void verify_instruction(Instruction& instruction) {
  if (instruction.has_shape) check_layouts(instruction.shape);
  check_operands(instruction);
  check_attributes(instruction);
  check_shape(instruction);
}

void verify_computation(Computation& computation) {
  check_parameters(computation);
  for (const auto& instruction : computation.instructions) {
    try {
      verify_instruction(*instruction);
    } catch (const Error& error) {
      if (error.location().line != 0) throw;
      throw at(error, *instruction);
    }
  }
  check_signature(computation);
}

}  // namespace

void verify(Module& module) {
  for (const auto& computation : module.computations) {
    verify_computation(*computation);
  }
  check_entry_layout(module);
  if (!module.entry_layout) return;
  std::ranges::for_each(module.entry_layout->parameters, check_layouts);
  check_layouts(module.entry_layout->result);
}

}  // namespace hlo
