#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "conformance/judge/judge_instruction.h"
#include "conformance/shrink/candidates.h"
#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/clone.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// An instruction that ran, with its operands and its value.
struct Seen {
  const Instruction* instruction;
  std::vector<Literal> operands;
  Literal value;
};

/// A program that ran, and the first run of each of its instructions, in order.
struct Run {
  Module module;
  std::vector<Seen> seen;
};

/// Nothing is seen of what the reference cannot run, nor of several devices.
std::shared_ptr<const Run> run(const Program& program) {
  auto result = std::make_shared<Run>(Run{verified_module(program.hlo), {}});
  if (device_count(result->module) != 1) return result;
  std::map<const Instruction*, bool> known;
  EvaluatorOptions options;
  options.observer = [&](const Instruction& instruction, Operands operands,
                         const Literal& value) {
    if (!known.emplace(&instruction, true).second) return;
    result->seen.push_back(
        {&instruction, {operands.begin(), operands.end()}, value});
  };
  try {
    evaluate(result->module, assemble_arguments(result->module, program.inputs),
             options);
  } catch (const Error&) {  // what ran before has been seen
  }
  return result;
}

bool stands_alone(const Module& module) {
  return std::ranges::count_if(module.entry->instructions,
                               [](const auto& instruction) {
                                 return instruction->parameter_number < 0;
                               }) <= 1;
}

Program alone(const Seen& seen) {
  Program program;
  program.hlo = text::print(extract_sized(*seen.instruction, seen.operands));
  verified_module(program.hlo);
  program.inputs = arguments_of_one(*seen.instruction, seen.operands);
  return program;
}

/// A program that only hands the array on: backends can be wrong about where
/// elements lie, whatever is computed.
Program handed_on(const Literal& value) {
  Shape shape = value.shape();
  shape.layout.reset();
  std::vector<int64_t> dims(shape.dims.size());
  std::iota(dims.begin(), dims.end(), 0);
  const std::string type = to_string(shape, false);
  Program program;
  program.hlo = text::print(verified_module(
      fmt::format("ENTRY main {{ x = {0} parameter(0)\n"
                  "ROOT y = {0} transpose(x), dimensions={{{1}}} }}",
                  type, fmt::join(dims, ","))));
  program.inputs = {value};
  return program;
}

bool is_enough_for(const Literal& value, const Shape& shape) {
  return value.shape().is_array() && shape.is_array() &&
         value.type() == shape.element_type &&
         value.element_count() >= shape.element_count();
}

/// Whether the computation can have the operands of who calls it, or parts.
bool takes_operands(const Computation& callee, const Seen& seen) {
  return std::ranges::equal(
      callee.parameters, seen.operands,
      [](const Instruction* parameter, const Literal& operand) {
        return is_enough_for(operand, parameter->shape);
      });
}

/// The first elements, in an array of that shape.
Literal first_elements(const Literal& value, const Shape& shape) {
  Literal part(shape);
  for (int64_t i = 0; i < part.element_count(); ++i) part.set(i, value.at(i));
  return part;
}

/// A computation that the instruction calls, by itself.
Program called_alone(const Seen& seen, const Computation& callee) {
  Module module;
  module.name = "called";
  module.entry = copy_into(module, callee);
  Program program;
  program.hlo = text::print(module);
  verified_module(program.hlo);
  for (size_t k = 0; k < seen.operands.size(); ++k) {
    program.inputs.push_back(
        first_elements(seen.operands[k], callee.parameters[k]->shape));
  }
  return program;
}

/// A tuple's elements follow from others; a parameter is not computed.
bool is_worth_a_try(const Instruction& instruction) {
  return instruction.parameter_number < 0 &&
         instruction.op->form != Form::kTuple &&
         instruction.op->form != Form::kConstant &&
         instruction.op->form != Form::kElement;
}

bool is_tuple_of_arrays(const Shape& shape) {
  return shape.is_tuple() && !shape.tuple_shapes.empty() &&
         std::ranges::all_of(shape.tuple_shapes, &Shape::is_array);
}

bool can_be_parameter(const Instruction& instruction, const Literal& value) {
  const Shape& shape = value.shape();
  return instruction.parameter_number < 0 &&
         (shape.is_array() || is_tuple_of_arrays(shape)) &&
         !instruction.shape.has_dynamic_dimensions();
}

/// Each array by itself: inputs, and what instructions give.
void add_handed_on(const std::shared_ptr<const Run>& ran,
                   const Failing& failing, Candidates& candidates) {
  if (extent_of(failing.program).instructions <= 1) return;
  for (const Literal& input : failing.program.inputs) {
    candidates.emplace_back([input] { return handed_on(input); });
  }
  for (const Seen& seen : ran->seen) {
    if (!seen.value.shape().is_array()) continue;
    const Seen* const one = &seen;
    candidates.emplace_back([ran, one] { return handed_on(one->value); });
  }
}

}  // namespace

Candidates single_instructions(const Failing& failing) {
  Candidates candidates;
  const auto ran = run(failing.program);
  if (!stands_alone(ran->module)) {
    for (const bool compared : {true, false}) {
      for (const Seen& seen : ran->seen) {
        if (!is_worth_a_try(*seen.instruction) ||
            is_compared(*seen.instruction) != compared) {
          continue;
        }
        const Seen* const one = &seen;
        candidates.emplace_back([ran, one] { return alone(*one); });
      }
    }
  }
  add_handed_on(ran, failing, candidates);
  return candidates;
}

namespace {

void add_called(const std::shared_ptr<const Run>& ran, Candidates& candidates) {
  for (const Seen& seen : ran->seen) {
    for (const Computation* callee : called_by(*seen.instruction)) {
      if (!takes_operands(*callee, seen)) continue;
      const Seen* const caller = &seen;
      candidates.emplace_back(
          [ran, caller, callee] { return called_alone(*caller, *callee); });
    }
  }
}

using Change = std::function<void(Edit&, Instruction&)>;

Candidate changed(std::shared_ptr<const Program> program, size_t c, size_t i,
                  Change change) {
  return [program = std::move(program), c, i, change = std::move(change)] {
    Edit edit(*program);
    change(edit, edit.at(c, i));
    return edit.finish();
  };
}

/// Whoever uses the instruction uses the other one, which stands before it.
void replace(Instruction& instruction, Instruction& other) {
  Computation& computation = *instruction.parent;
  for (const auto& user : computation.instructions) {
    std::ranges::replace(user->operands, &instruction, &other);
  }
  if (computation.root == &instruction) computation.root = &other;
}

void make_root(Edit& edit, Instruction& instruction) {
  instruction.parent->root = &instruction;
  if (edit.module().entry_layout && instruction.parent == &edit.entry()) {
    edit.module().entry_layout->result = instruction.shape;
  }
}

/// The instruction's value becomes an input of the program.
void add_parameters(const Run& ran, size_t entry,
                    const std::shared_ptr<const Program>& program,
                    Candidates& candidates) {
  for (const Seen& seen : ran.seen) {
    const Instruction& instruction = *seen.instruction;
    if (instruction.parent != ran.module.entry ||
        !can_be_parameter(instruction, seen.value)) {
      continue;
    }
    const auto i = static_cast<size_t>(instruction.position);
    candidates.push_back(changed(
        program, entry, i, [value = seen.value](Edit& edit, Instruction& at) {
          edit.make_parameter(at, value);
        }));
  }
}

/// A token becomes an input of the program, on however many devices.
void add_tokens(const Module& module, size_t entry,
                const std::shared_ptr<const Program>& program,
                Candidates& candidates) {
  for (const auto& one : module.entry->instructions) {
    if (!one->shape.is_token() || one->parameter_number >= 0) continue;
    const auto i = static_cast<size_t>(one->position);
    candidates.push_back(
        changed(program, entry, i, [](Edit& edit, Instruction& at) {
          edit.make_parameter(at, Literal(at.shape));
        }));
  }
}

/// What a tuple was made of, where the instruction takes it out again.
Instruction* taken_again(const Instruction& instruction) {
  if (instruction.op->form != Form::kElement) return nullptr;
  const Instruction& tuple = *instruction.operands.at(0);
  const auto index = static_cast<size_t>(instruction.get<int64_t>("index"));
  if (tuple.op->form != Form::kTuple || index >= tuple.operands.size()) {
    return nullptr;
  }
  return tuple.operands[index];
}

/// What stands before the instruction takes its place: its operands first.
void add_bypasses(const Computation& computation, size_t c,
                  const std::shared_ptr<const Program>& program,
                  Candidates& candidates) {
  constexpr size_t kMostOthers = 16;
  for (size_t i = computation.instructions.size(); i-- > 0;) {
    const Instruction& instruction = *computation.instructions[i];
    if (instruction.parameter_number >= 0) continue;
    std::vector<Instruction*> others = instruction.operands;
    if (Instruction* const element = taken_again(instruction)) {
      others = {element};
    }
    others.insert(others.end(), computation.parameters.begin(),
                  computation.parameters.end());
    if (others.size() > kMostOthers) others.resize(kMostOthers);
    for (const Instruction* other : others) {
      if (!compatible(other->shape, instruction.shape,
                      /*ignore_dynamic=*/true)) {
        continue;
      }
      const auto from = static_cast<size_t>(other->position);
      candidates.push_back(
          changed(program, c, i, [c, from](Edit& edit, Instruction& at) {
            replace(at, edit.at(c, from));
          }));
    }
  }
}

}  // namespace

Candidates fewer_instructions(const Failing& failing) {
  Candidates candidates;
  const auto program = std::make_shared<const Program>(failing.program);
  const auto ran = run(failing.program);
  const Module& module = ran->module;
  candidates.emplace_back([program] {
    Edit edit(*program);
    edit.leave_messages_out();
    return edit.finish();
  });
  add_called(ran, candidates);
  for (size_t c = 0; c < module.computations.size(); ++c) {
    const Computation& computation = *module.computations[c];
    if (&computation != module.entry) continue;
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      const Instruction& instruction = *computation.instructions[i];
      if (&instruction == computation.root ||
          instruction.parameter_number >= 0) {
        continue;
      }
      candidates.push_back(changed(program, c, i, make_root));
    }
    add_parameters(*ran, c, program, candidates);
    add_tokens(module, c, program, candidates);
  }
  for (size_t c = 0; c < module.computations.size(); ++c) {
    add_bypasses(*module.computations[c], c, program, candidates);
  }
  return candidates;
}

}  // namespace hlo::conformance
