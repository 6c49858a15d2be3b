#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/rules/plan_set.h"

namespace hlo::conformance {

/// How a run of a program ended.
struct ProgramRun {
  GridResult grid;
  std::string rule;  // of the error that it ended with
  std::string message;
};

/// What a program gets.
struct ProgramInputs {
  std::vector<std::vector<Literal>> arguments;  // of each device
  std::deque<Literal> infeed;
};

/// Those of this seed, for all devices and infeeds.
ProgramInputs inputs_of(const Module& module, uint64_t seed);
/// Runs the program of all devices on arguments and infeeds of this seed.
ProgramRun run_program(const Module& module, uint64_t seed,
                       const EvaluatorOptions& options = {});
/// Whether both ended with the same error, or the same bits in all arrays:
/// StableHLO has no tuple of one.
bool same_bits(const ProgramRun& a, const ProgramRun& b);

}  // namespace hlo::conformance
