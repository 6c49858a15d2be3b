#include "conformance/translation/flow.h"

#include "interpreter/rules/callee.h"

namespace hlo::conformance {
namespace {

/// Whether the computations that it names give its value, and are not applied
/// to elements.
bool runs_computations(const Instruction& instruction) {
  const Form form = instruction.op->form;
  return form == Form::kCall || form == Form::kLoop || form == Form::kBranches;
}

/// The operand that a computation which it runs gets as this parameter; null
/// where none does.
const Instruction* argument(const Instruction& caller,
                            const Instruction& parameter) {
  size_t number = static_cast<size_t>(parameter.parameter_number);
  if (caller.op->form == Form::kLoop) number = 0;
  if (caller.op->form == Form::kBranches) {
    const Computations branches = called_by(caller);
    for (size_t k = 0; k < branches.size(); ++k) {
      if (branches[k] == parameter.parent) number = k + 1;
    }
  }
  return number < caller.operands.size() ? caller.operands[number] : nullptr;
}

}  // namespace

bool carries(const Instruction& instruction) {
  const Form form = instruction.op->form;
  return form == Form::kTuple || form == Form::kElement ||
         form == Form::kParameter || form == Form::kIdentity ||
         runs_computations(instruction);
}

Flow::Flow(const Module& module) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      for (const Computation* callee : called_by(*instruction)) {
        callers_[callee].push_back(instruction.get());
      }
    }
  }
}

std::vector<const Instruction*> Flow::arguments(
    const Instruction& parameter) const {
  std::vector<const Instruction*> found;
  const auto callers = callers_.find(parameter.parent);
  if (callers == callers_.end()) return found;
  for (const Instruction* caller : callers->second) {
    if (!runs_computations(*caller)) continue;
    if (const Instruction* given = argument(*caller, parameter)) {
      found.push_back(given);
    }
    // The state of a loop is what its body left, too.
    if (caller->op->form == Form::kLoop) {
      found.push_back(caller->get<Computation*>("body")->root);
    }
  }
  return found;
}

std::vector<const Instruction*> Flow::sources(
    const Instruction& instruction) const {
  if (instruction.op->form == Form::kParameter) return arguments(instruction);
  std::vector<const Instruction*> found;
  if (instruction.op->form == Form::kElement) {
    const Instruction& tuple = *instruction.operands[0];
    if (tuple.op->form != Form::kTuple) return {&tuple};
    return {
        tuple.operands[static_cast<size_t>(instruction.get<int64_t>("index"))]};
  }
  if (runs_computations(instruction)) {
    for (const Computation* callee : called_by(instruction)) {
      found.push_back(callee->root);
    }
    if (instruction.op->form == Form::kCall) return found;
  }
  found.insert(found.end(), instruction.operands.begin(),
               instruction.operands.end());
  return found;
}

}  // namespace hlo::conformance
