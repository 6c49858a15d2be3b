#include "interpreter/model/module.h"

#include <algorithm>

namespace hlo {
namespace {

bool same_name(const Computation* a, const Computation* b) {
  return a->name == b->name;
}

bool same_name(const Instruction* a, const Instruction* b) {
  return a->name == b->name;
}

bool same_literal(const std::shared_ptr<const Literal>& a,
                  const std::shared_ptr<const Literal>& b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->shape() == b->shape() && identical(*a, *b);
}

/// Values that refer to other parts of a module are equal when the names are.
struct SameValue {
  template <typename T>
  bool operator()(const T& a, const T& b) const {
    return a == b;
  }

  template <typename T, typename U>
  bool operator()(const T& /*a*/, const U& /*b*/) const {
    return false;
  }

  bool operator()(Computation* a, Computation* b) const {
    return same_name(a, b);
  }

  bool operator()(const Computations& a, const Computations& b) const {
    return std::ranges::equal(
        a, b, [](const auto* x, const auto* y) { return same_name(x, y); });
  }

  bool operator()(const std::vector<Instruction*>& a,
                  const std::vector<Instruction*>& b) const {
    return std::ranges::equal(
        a, b, [](const auto* x, const auto* y) { return same_name(x, y); });
  }

  bool operator()(const std::shared_ptr<const Literal>& a,
                  const std::shared_ptr<const Literal>& b) const {
    return same_literal(a, b);
  }
};

bool equal_attributes(const Attributes& a, const Attributes& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && std::visit(SameValue{}, x.second, y.second);
  });
}

bool equal_instructions(const Instruction& a, const Instruction& b) {
  return a.name == b.name && a.op == b.op && a.shape == b.shape &&
         a.parameter_number == b.parameter_number &&
         a.async_sugar == b.async_sugar && a.position == b.position &&
         std::ranges::equal(a.operands, b.operands,
                            [](const auto* x, const auto* y) {
                              return x->position == y->position;
                            }) &&
         equal_attributes(a.attributes, b.attributes) &&
         same_literal(a.literal, b.literal);
}

bool equal_computations(const Computation& a, const Computation& b) {
  return a.name == b.name && a.execution_thread == b.execution_thread &&
         a.root->position == b.root->position &&
         a.declared_result.has_value() == b.declared_result.has_value() &&
         std::ranges::equal(a.instructions, b.instructions,
                            [](const auto& x, const auto& y) {
                              return equal_instructions(*x, *y);
                            });
}

void append_shapes(std::string& text,
                   const std::vector<Instruction*>& instructions) {
  std::vector<Shape> shapes;
  shapes.reserve(instructions.size());
  for (const Instruction* instruction : instructions) {
    shapes.push_back(instruction->shape);
  }
  append_words(text, shapes);
}

}  // namespace

Instruction::Instruction() = default;
Instruction::Instruction(const Instruction& other) = default;
Instruction::Instruction(Instruction&& other) noexcept = default;
Instruction& Instruction::operator=(const Instruction& other) = default;
Instruction& Instruction::operator=(Instruction&& other) noexcept = default;
Instruction::~Instruction() = default;

Computation::Computation() = default;
Computation::Computation(Computation&& other) noexcept = default;
Computation& Computation::operator=(Computation&& other) noexcept = default;
Computation::~Computation() = default;

Module::Module() = default;
Module::Module(Module&& other) noexcept = default;
Module& Module::operator=(Module&& other) noexcept = default;
Module::~Module() = default;

const AttributeValue* Instruction::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes) {
    if (key == attribute) return &value;
  }
  return nullptr;
}

bool equal(const Module& a, const Module& b) {
  return a.name == b.name && a.header == b.header &&
         a.entry_layout == b.entry_layout && a.stack_frames == b.stack_frames &&
         a.replica_count == b.replica_count &&
         a.num_partitions == b.num_partitions && same_name(a.entry, b.entry) &&
         std::ranges::equal(a.computations, b.computations,
                            [](const auto& x, const auto& y) {
                              return equal_computations(*x, *y);
                            });
}

void append_words(std::string& text, const OperandShapes& shapes) {
  append_shapes(text, shapes.of.operands);
}

void append_words(std::string& text, const ParameterShapes& shapes) {
  append_shapes(text, shapes.of.parameters);
}

void append_words(std::string& text, const Instruction& instruction) {
  text += "%" + instruction.name;
}

void append_words(std::string& text, const Computation& computation) {
  text += "%" + computation.name;
}

}  // namespace hlo
