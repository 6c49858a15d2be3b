#include "conformance/random/testing/run_program.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "conformance/random/draw.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

void collect(const Literal& literal, std::vector<Literal>& arrays) {
  if (!literal.shape().is_tuple()) {
    arrays.push_back(literal);
    return;
  }
  for (const Literal& element : literal.elements()) collect(element, arrays);
}

bool same_arrays(const Literal& a, const Literal& b) {
  std::vector<Literal> left;
  std::vector<Literal> right;
  collect(a, left);
  collect(b, right);
  return std::ranges::equal(left, right, identical);
}

}  // namespace

ProgramInputs inputs_of(const Module& module, uint64_t seed) {
  Draw draw(seed);
  ProgramInputs inputs;
  for (int64_t device = 0; device < device_count(module); ++device) {
    std::vector<Literal>& arguments = inputs.arguments.emplace_back();
    for (const Instruction* parameter : module.entry->parameters) {
      arguments.push_back(draw.literal(parameter->shape));
    }
    for (const auto& instruction : module.entry->instructions) {
      if (instruction->op->name != "infeed") continue;
      inputs.infeed.push_back(draw.literal(instruction->shape.tuple_shapes[0]));
    }
  }
  return inputs;
}

ProgramRun run_program(const Module& module, uint64_t seed,
                       const EvaluatorOptions& options) {
  const Grid grid{module.replica_count, module.num_partitions};
  ProgramInputs inputs = inputs_of(module, seed);
  std::vector<DeviceProgram> programs;
  for (std::vector<Literal>& arguments : inputs.arguments) {
    programs.push_back({module.entry, std::move(arguments)});
  }
  try {
    return {run_grid(kReference, grid, std::move(programs),
                     std::move(inputs.infeed), options),
            {},
            {}};
  } catch (const Error& error) {
    return {{}, error.rule(), error.what()};
  }
}

bool same_bits(const ProgramRun& a, const ProgramRun& b) {
  if (a.rule != b.rule) return false;
  if (a.grid.results.size() != b.grid.results.size()) return false;
  for (size_t i = 0; i < a.grid.results.size(); ++i) {
    if (!same_arrays(a.grid.results[i], b.grid.results[i])) return false;
  }
  return true;
}

}  // namespace hlo::conformance
