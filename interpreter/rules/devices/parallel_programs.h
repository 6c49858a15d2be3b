#pragma once

#include <string_view>
#include <vector>

#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/op.h"

// custom-call to "interpreter.run_parallel": a grid of programs inside of a
// program (spec/ops/custom_call.md).

namespace hlo {

inline constexpr std::string_view kRunParallel = "interpreter.run_parallel";

bool is_run_parallel(const Instruction& instruction);

/// What backend_config and called_computations of such a custom-call say.
struct ParallelPrograms {
  Grid grid;
  std::vector<const Computation*> programs;  // by flattened id
  std::vector<const Computation*> infeed;    // each gives one value
};

/// Verify error "run-parallel.config".
ParallelPrograms parallel_programs(const Instruction& custom_call);

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
}  // namespace hlo
