#include <algorithm>
#include <unordered_set>

#include "interpreter/counted.h"
#include "interpreter/rules/operand_count.h"
#include "interpreter/shortened.h"
#include "interpreter/text/grammar/read_literal.h"
#include "interpreter/text/grammar/read_shape.h"
#include "interpreter/text/module/async_sugar.h"
#include "interpreter/text/module/module_reader.h"

namespace hlo::text {

void ModuleReader::read_instruction() {
  const size_t start = in_.position();
  const bool is_root = in_.eat_word("ROOT");
  if (is_root && scope_.computation->root != nullptr) {
    in_.fail_at(start, "text.root",
                "this is a second ROOT, but a computation can have only one");
  }
  std::string_view name;
  const size_t name_start = in_.position();
  if (!is_single() || !at_shape(in_)) {
    name = in_.name("the name of an instruction");
    in_.expect('=', "behind the name of an instruction");
  }
  Instruction* const instruction =
      read_rest(name, name_start, /*is_nested=*/false);
  if (is_root) scope_.computation->root = instruction;
}

/// Everything behind `name =`; without attributes where it is an operand.
Instruction* ModuleReader::read_rest(std::string_view name, size_t start,
                                     bool is_nested) {
  const Nesting nesting(in_);
  auto instruction = std::make_unique<Instruction>();
  instruction->location = in_.location(start);
  instruction->parent = scope_.computation;
  if (at_shape(in_)) {
    instruction->shape = read_shape(in_);
    instruction->has_shape = true;
  }
  const size_t opcode_start = in_.position();
  const Op* const wrapped = read_opcode(*instruction);
  const std::string_view op = instruction->op->name;
  if (op == "parameter") {
    read_parameter(*instruction);
  } else if (op == "constant") {
    read_constant(*instruction);
  } else {
    read_operands(*instruction);
  }
  if (!is_nested) read_attributes(*instruction, wrapped);
  const bool is_wrapping = wrapped != nullptr && op == "async-start";
  if (!is_wrapping) check_operands(*instruction, opcode_start);
  check_async(*instruction, opcode_start);
  if (is_wrapping) wrap(*instruction, *wrapped, opcode_start);
  check_required(*instruction, opcode_start);
  follow_async(*instruction, opcode_start);
  Instruction* const done = append(std::move(instruction));
  set_name(done, name, start);
  return done;
}

/// Sets the operation; returns the wrapped one where the text has async sugar.
const Op* ModuleReader::read_opcode(Instruction& instruction) {
  const size_t start = in_.position();
  const std::string_view opcode = in_.word("an operation");
  instruction.op = find_op(opcode);
  if (instruction.op != nullptr) return nullptr;
  std::string_view stage;
  const Op* const wrapped = find_sugared_op(opcode, stage);
  if (wrapped != nullptr) {
    instruction.op = find_op("async-" + std::string(stage));
    instruction.async_sugar = std::string(wrapped->name);
  }
  if (instruction.op == nullptr) {
    in_.fail_at(start, "text.opcode",
                "there is no operation '" + shortened(opcode) + "'");
  }
  return wrapped;
}

void ModuleReader::read_parameter(Instruction& parameter) {
  const size_t start = in_.position();
  in_.expect('(', "behind 'parameter'");
  parameter.parameter_number = in_.natural("the number of a parameter");
  in_.expect(')', "behind the number of a parameter");
  if (!parameter.has_shape) {
    in_.fail_at(start, "text.shape-needed",
                "the parameter has no shape, but must have one");
  }
}

void ModuleReader::read_constant(Instruction& constant) {
  const size_t start = in_.position();
  if (!constant.has_shape) {
    in_.fail_at(start, "text.shape-needed",
                "the constant has no shape, but must have one");
  }
  in_.expect('(', "behind 'constant'");
  if (auto literal = read_literal(in_, constant.shape)) {
    constant.literal = std::make_shared<const Literal>(std::move(*literal));
  }
  in_.expect(')', "behind the value of a constant");
}

void ModuleReader::check_operands(const Instruction& instruction,
                                  size_t start) const {
  const size_t count = instruction.operands.size();
  const auto wanted = wanted_operands(*instruction.op, count);
  if (!wanted) return;
  in_.fail_at(start, "text.operand-count",
              std::string(instruction.op->name) + " has " +
                  counted(static_cast<int64_t>(count), "operand") +
                  ", but must have " + *wanted);
}

Instruction* ModuleReader::append(
    std::unique_ptr<Instruction> instruction) const {
  auto& instructions = scope_.computation->instructions;
  instruction->parent = scope_.computation;
  instruction->position = static_cast<int64_t>(instructions.size());
  instructions.push_back(std::move(instruction));
  return instructions.back().get();
}

void ModuleReader::set_name(Instruction* instruction, std::string_view name,
                            size_t start) {
  if (name.empty()) {
    const std::string& sugar = instruction->async_sugar;
    scope_.unnamed.emplace_back(
        instruction,
        sugar.empty() ? std::string(instruction->op->name) : sugar);
    return;
  }
  instruction->name = std::string(name);
  if (!scope_.names.emplace(name, instruction).second) {
    in_.fail_at(start, "text.duplicate",
                "there is an instruction '" + shortened(name) + "' already");
  }
}

void ModuleReader::finish(Computation& computation, size_t start) {
  if (computation.instructions.empty()) {
    in_.fail_at(start, "text.empty",
                "the computation is empty, but must have instructions");
  }
  if (computation.root == nullptr) {
    computation.root = computation.instructions.back().get();
  }
  name_instructions();
  for (const auto& [root, place] : scope_.wrapped_roots) {
    check_operands(*root, place);
  }
  collect_parameters(computation, start);
  check_result(computation, start);
}

void ModuleReader::name_instructions() {
  if (scope_.unnamed.empty()) return;
  std::unordered_set<std::string> used;
  for (const auto& [name, instruction] : scope_.names) used.emplace(name);
  for (const auto& [instruction, wish] : scope_.unnamed) {
    instruction->name = wish;
    for (int n = 1; !used.insert(instruction->name).second; ++n) {
      instruction->name = wish + "." + std::to_string(n);
    }
  }
}

void ModuleReader::collect_parameters(Computation& computation, size_t start) {
  for (const auto& instruction : computation.instructions) {
    if (instruction->parameter_number < 0) continue;
    computation.parameters.push_back(instruction.get());
  }
  std::ranges::sort(computation.parameters, {}, &Instruction::parameter_number);
  Ints numbers;
  for (const Instruction* parameter : computation.parameters) {
    numbers.push_back(parameter->parameter_number);
  }
  for (int64_t i = 0; i < std::ssize(numbers); ++i) {
    if (numbers[static_cast<size_t>(i)] == i) continue;
    in_.fail_at(
        start, "text.parameters",
        joined({"there is no single parameter ", i, " among ", numbers,
                ", but parameters must be numbered from 0, each once"}));
  }
}

void ModuleReader::check_result(const Computation& computation,
                                size_t start) const {
  const Instruction& root = *computation.root;
  if (!computation.declared_result || !root.has_shape ||
      compatible(*computation.declared_result, root.shape,
                 /*ignore_dynamic=*/true)) {
    return;
  }
  in_.fail_at(start, "text.result-shape",
              "the result has the shape " +
                  to_string(*computation.declared_result, false) +
                  ", but the root has " + to_string(root.shape, false));
}

}  // namespace hlo::text
