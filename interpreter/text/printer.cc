#include "interpreter/text/printer.h"

#include <algorithm>
#include <set>

#include "interpreter/arithmetic_state.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/grammar/attribute_specs.h"
#include "interpreter/text/print_literal.h"
#include "interpreter/text/print_values.h"
#include "interpreter/text/scan/quote.h"

namespace hlo::text {
namespace {

void append_bools(std::string& text, const Ints& values) {
  text += '{';
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    text += values[i] != 0 ? "true" : "false";
  }
  text += '}';
}

void append_attribute(std::string& text, const Op& op,
                      const Attributes::value_type& attribute) {
  const auto& [name, value] = attribute;
  text.append(", ").append(name).append("=");
  const auto* ints = std::get_if<Ints>(&value);
  if (ints != nullptr) {
    const AttributeSpec* spec = find_spec(op.attributes, name);
    if (spec == nullptr) spec = find_spec(common_attributes(), name);
    if (spec != nullptr && spec->kind == AttributeKind::kBools) {
      return append_bools(text, *ints);
    }
  }
  append(text, value);
}

bool begins_sugar(const Instruction& instruction) {
  return !instruction.async_sugar.empty() &&
         instruction.op->name == "async-start";
}

/// The computation that async sugar wraps, which is not printed.
const Computation& wrapped(const Instruction& instruction) {
  return *instruction.get<Computation*>("calls");
}

void append_opcode(std::string& text, const Instruction& instruction) {
  if (instruction.async_sugar.empty()) {
    text += instruction.op->name;
    return;
  }
  text += instruction.async_sugar;
  text += instruction.op->name.substr(std::string_view("async").size());
}

void append_operands(std::string& text, const Instruction& instruction) {
  text += '(';
  if (instruction.op->name == "parameter") {
    append_integer(text, instruction.parameter_number);
  } else if (instruction.op->name == "constant") {
    if (instruction.literal == nullptr) {
      text += "{...}";
    } else {
      append(text, *instruction.literal);
    }
  }
  bool is_first = true;
  for (const Instruction* operand : instruction.operands) {
    if (!is_first) text += ", ";
    is_first = false;
    text.append("%").append(operand->name);
  }
  text += ')';
}

void append_instruction(std::string& text, const Instruction& instruction) {
  const bool is_root =
      instruction.parent != nullptr && instruction.parent->root == &instruction;
  if (is_root) text += "ROOT ";
  text.append("%").append(instruction.name).append(" = ");
  if (instruction.has_shape || !(instruction.shape == Shape{})) {
    text.append(to_string(instruction.shape)).append(" ");
  }
  append_opcode(text, instruction);
  append_operands(text, instruction);
  const bool is_sugar = begins_sugar(instruction);
  if (is_sugar) {
    const Instruction& root = *wrapped(instruction).root;
    for (const auto& attribute : root.attributes) {
      append_attribute(text, *root.op, attribute);
    }
  }
  for (const auto& attribute : instruction.attributes) {
    if (is_sugar && attribute.first == "calls") continue;
    append_attribute(text, *instruction.op, attribute);
  }
}

/// "(p: f32[2], q: s32[]) -> f32[2]"
void append_signature(std::string& text, const Computation& computation) {
  text += " (";
  for (size_t i = 0; i < computation.parameters.size(); ++i) {
    const Instruction& parameter = *computation.parameters[i];
    if (i > 0) text += ", ";
    if (i > 0 && i % 5 == 0) text += "/*index=" + std::to_string(i) + "*/";
    text += parameter.name + ": " + to_string(parameter.shape, false);
  }
  const Instruction& root = *computation.root;
  const Shape& result = root.has_shape || !(root.shape == Shape{})
                            ? root.shape
                            : *computation.declared_result;
  text += ") -> " + to_string(result, false);
}

void append_computation(std::string& text, const Computation& computation,
                        bool is_entry) {
  text += is_entry ? "\nENTRY %" : "\n%";
  text += computation.name;
  if (computation.declared_result) append_signature(text, computation);
  text += " {\n";
  for (const auto& instruction : computation.instructions) {
    text += "  ";
    append_instruction(text, *instruction);
    text += '\n';
  }
  text += '}';
  if (!computation.execution_thread.empty()) {
    text += ", execution_thread=" + quote(computation.execution_thread);
  }
  text += '\n';
}

std::string layout_text(const EntryLayout& layout) {
  return "{" + to_string(Shape::tuple(layout.parameters)) + "->" +
         to_string(layout.result) + "}";
}

void append_header(std::string& text, const Module& module) {
  text += "HloModule " + module.name;
  for (const HeaderAttribute& attribute : module.header) {
    text += ", " + attribute.name + "=";
    append(text, attribute.value);
  }
  if (module.entry_layout) {
    text += ", entry_computation_layout=" + layout_text(*module.entry_layout);
  }
  if (module.replica_count != 1) {
    text += ", replica_count=" + std::to_string(module.replica_count);
  }
  if (module.num_partitions != 1) {
    text += ", num_partitions=" + std::to_string(module.num_partitions);
  }
  text += '\n';
  if (!module.stack_frames.empty()) text += "\n" + module.stack_frames;
}

}  // namespace

std::string print(const Module& module) {
  const ReferenceArithmetic arithmetic;
  std::set<const Computation*> hidden;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (begins_sugar(*instruction)) hidden.insert(&wrapped(*instruction));
    }
  }
  std::string text;
  append_header(text, module);
  for (const auto& computation : module.computations) {
    if (hidden.contains(computation.get())) continue;
    append_computation(text, *computation, computation.get() == module.entry);
  }
  return text;
}

std::string print(const Instruction& instruction) {
  const ReferenceArithmetic arithmetic;
  std::string text;
  append_instruction(text, instruction);
  return text;
}

}  // namespace hlo::text
