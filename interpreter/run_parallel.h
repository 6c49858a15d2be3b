#pragma once

#include <string_view>

#include "interpreter/collective.h"
#include "interpreter/op.h"

// custom-call to "interpreter.run_parallel": a grid of programs inside of a
// program (spec/ops/custom_call.md).

namespace hlo {

inline constexpr std::string_view kRunParallel = "interpreter.run_parallel";

bool is_run_parallel(const Instruction& instruction);

/// What an array of the result is: one of the result of a program.
struct ProgramResult {
  const Computation* program = nullptr;
  Device device;     // that runs it
  Ints tuple_index;  // of the array
};

ProgramResult program_result(const Instruction& custom_call,
                             const Ints& tuple_index);
/// The shape of the results of all programs, one after the other. Verify errors
/// "run-parallel.config" to "run-parallel.infeed".
void check_run_parallel(const Instruction& custom_call);
/// Runs the programs on a grid of their own. Unless `is_watched`, the observers
/// of the evaluator see none of their instructions.
Literal run_parallel(const Instruction& custom_call, Operands operands,
                     Evaluator& evaluator, bool is_watched = false);

}  // namespace hlo
