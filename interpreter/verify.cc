#include "interpreter/verify.h"

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

void verify_instruction(Instruction& instruction) {
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
}

}  // namespace hlo
