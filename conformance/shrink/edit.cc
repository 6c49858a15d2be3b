#include "conformance/shrink/edit.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "backends/backend.h"
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/clone.h"
#include "interpreter/rules/forms.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

int64_t array_count(const Shape& shape) {
  return std::ranges::count_if(
      leaves(shape), [](const Shape* leaf) { return leaf->is_array(); });
}

bool is_source(const Instruction& instruction) {
  return instruction.op->form == Form::kParameter ||
         instruction.op->form == Form::kConstant;
}

/// Whether it ends a send or a recv: another device may wait for it, although
/// nothing here uses it.
bool ends_message(const Instruction& instruction) {
  const Op* const start = instruction.op->start;
  return start != nullptr && start->takes("channel_id");
}

/// What stays in a computation beside what its root is made of.
struct Stays {
  bool parameters;
  bool messages;
};

std::set<const Instruction*> used(const Computation& computation, Stays stays) {
  std::vector<const Instruction*> open = {computation.root};
  if (stays.parameters) {
    open.insert(open.end(), computation.parameters.begin(),
                computation.parameters.end());
  }
  for (const auto& one : computation.instructions) {
    if (stays.messages && ends_message(*one)) open.push_back(one.get());
  }
  std::set<const Instruction*> found;
  while (!open.empty()) {
    const Instruction* const next = open.back();
    open.pop_back();
    if (!found.insert(next).second) continue;
    open.insert(open.end(), next->operands.begin(), next->operands.end());
  }
  return found;
}

void remove_unused(Computation& computation, Stays stays) {
  const auto kept = used(computation, stays);
  const auto is_gone = [&](const Instruction* one) {
    return !kept.contains(one);
  };
  std::erase_if(computation.parameters, is_gone);
  std::erase_if(computation.instructions,
                [&](const auto& one) { return is_gone(one.get()); });
  for (size_t i = 0; i < computation.parameters.size(); ++i) {
    computation.parameters[i]->parameter_number = static_cast<int64_t>(i);
  }
  for (size_t i = 0; i < computation.instructions.size(); ++i) {
    computation.instructions[i]->position = static_cast<int64_t>(i);
  }
}

void remove_uncalled(Module& module) {
  const Computations called = with_called({module.entry});
  std::erase_if(module.computations, [&](const auto& computation) {
    return std::ranges::find(called, computation.get()) == called.end();
  });
}

/// The shape with the layouts of another one, where it has its form.
Shape laid_out(Shape shape, const Shape& like) {
  if (shape.is_tuple() && like.is_tuple() &&
      shape.tuple_shapes.size() == like.tuple_shapes.size()) {
    for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
      shape.tuple_shapes[i] =
          laid_out(shape.tuple_shapes[i], like.tuple_shapes[i]);
    }
  } else if (shape.is_array() && shape.rank() == like.rank()) {
    shape.layout = like.layout;
  }
  return shape;
}

/// Gives the results of a verified module the layouts that they had.
void lay_out(Module& module, const Module& like) {
  for (size_t c = 0; c < module.computations.size(); ++c) {
    Computation& computation = *module.computations[c];
    const Computation& old = *like.computations[c];
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      Instruction& instruction = *computation.instructions[i];
      instruction.shape =
          laid_out(instruction.shape, old.instructions[i]->shape);
    }
  }
  if (!like.entry_layout) return;
  EntryLayout layout;
  for (size_t i = 0; i < module.entry->parameters.size(); ++i) {
    layout.parameters.push_back(laid_out(module.entry->parameters[i]->shape,
                                         like.entry_layout->parameters[i]));
  }
  layout.result =
      laid_out(module.entry->root->shape, like.entry_layout->result);
  module.entry_layout = std::move(layout);
}

/// The shape with the element types of another one, where it has its form.
Shape typed(Shape shape, const Shape& like) {
  if (shape.is_tuple() && like.is_tuple() &&
      shape.tuple_shapes.size() == like.tuple_shapes.size()) {
    for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
      shape.tuple_shapes[i] =
          typed(shape.tuple_shapes[i], like.tuple_shapes[i]);
    }
  } else if (shape.is_array() && like.is_array()) {
    shape.element_type = like.element_type;
  }
  return shape;
}

/// The verified module, with the types that its results had where they are
/// allowed: of operands of several types, that of the result is free.
Module with_types(Module module, const Module& like) {
  Module changed = clone(module);
  bool has_changed = false;
  for (size_t c = 0; c < changed.computations.size(); ++c) {
    const auto& instructions = changed.computations[c]->instructions;
    for (size_t i = 0; i < instructions.size(); ++i) {
      const Shape old = instructions[i]->shape;
      instructions[i]->shape =
          typed(old, like.computations[c]->instructions[i]->shape);
      has_changed = has_changed || !(instructions[i]->shape == old);
    }
  }
  if (!has_changed) return module;
  try {
    verify(changed);
    return changed;
  } catch (const Error&) {
    return module;
  }
}

Shape in_default_layout(Shape shape) {
  for (Shape& element : shape.tuple_shapes) {
    element = in_default_layout(element);
  }
  if (shape.is_array()) shape.layout = default_layout(shape.rank());
  return shape;
}

const Instruction* instruction_at(const Module& module, Location location) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->location == location) return instruction.get();
    }
  }
  return nullptr;
}

int64_t elements_of(const Shape& shape) {
  int64_t most = 0;
  for (const Shape* leaf : leaves(shape)) {
    if (leaf->is_array()) most = std::max(most, leaf->element_count());
  }
  return most;
}

}  // namespace

Extent extent_of(const Program& program) {
  const Module module = text::parse(program.hlo);
  Extent extent;
  for (const auto& computation : module.computations) {
    extent.instructions += std::ssize(computation->instructions) -
                           std::ssize(computation->parameters);
  }
  for (const auto& instruction : module.entry->instructions) {
    extent.elements =
        std::max(extent.elements, elements_of(instruction->shape));
  }
  return extent;
}

Edit::Edit(const Program& program) : module_(text::parse(program.hlo)) {
  int64_t count = 0;
  for (const Instruction* parameter : entry().parameters) {
    count += array_count(parameter->shape);
    leaves_[parameter];  // an empty tuple has none
  }
  if (count > 0) {
    devices_ = std::max<int64_t>(1, std::ssize(program.inputs) / count);
  }
  size_t next = 0;
  for (int64_t device = 0; device < devices_; ++device) {
    for (const Instruction* parameter : entry().parameters) {
      for (int64_t i = array_count(parameter->shape); i > 0; --i) {
        leaves_[parameter].push_back(program.inputs.at(next++));
      }
    }
  }
}

Instruction& Edit::at(size_t computation, size_t instruction) {
  return *module_.computations.at(computation)->instructions.at(instruction);
}

std::vector<Literal>& Edit::leaves(const Instruction& parameter) {
  return leaves_[&parameter];
}

void Edit::keep_devices(int64_t first, int64_t count) {
  if (devices_ <= count) return;
  for (auto& [parameter, all] : leaves_) {
    const int64_t each = std::ssize(all) / devices_;
    all = {all.begin() + first * each, all.begin() + (first + count) * each};
  }
  devices_ = count;
}

void Edit::make_parameter(Instruction& instruction, const Literal& value) {
  instruction.op = &op_of(Form::kParameter);
  instruction.operands.clear();
  instruction.attributes.clear();
  instruction.literal = nullptr;
  instruction.async_sugar.clear();
  instruction.has_shape = true;
  instruction.parameter_number = std::ssize(entry().parameters);
  entry().parameters.push_back(&instruction);
  if (module_.entry_layout) {
    module_.entry_layout->parameters.push_back(
        in_default_layout(value.shape()));
  }
  set_input(instruction, value);
}

void Edit::set_input(Instruction& parameter, const Literal& value) {
  parameter.shape = value.shape();
  std::vector<Literal>& all = leaves_[&parameter];
  all.clear();
  const std::vector<Literal> each = array_leaves(value);
  for (int64_t device = 0; device < devices_; ++device) {
    all.insert(all.end(), each.begin(), each.end());
  }
}

void Edit::make_constant(Instruction& parameter, const Literal& value) {
  auto& parameters = entry().parameters;
  const auto found = std::ranges::find(parameters, &parameter);
  if (module_.entry_layout) {
    auto& shapes = module_.entry_layout->parameters;
    shapes.erase(shapes.begin() + (found - parameters.begin()));
  }
  parameters.erase(found);
  parameter.op = &op_of(Form::kConstant);
  parameter.attributes.clear();
  parameter.parameter_number = -1;
  parameter.shape = value.shape();
  parameter.has_shape = true;
  parameter.literal = std::make_shared<Literal>(value);
}

Module Edit::derived(const std::vector<const Op*>& given) const {
  Module module = clone(module_);
  module.entry_layout.reset();
  for (const auto& computation : module.computations) {
    computation->declared_result.reset();
    for (const auto& instruction : computation->instructions) {
      instruction->has_shape =
          is_source(*instruction) ||
          std::ranges::find(given, instruction->op) != given.end();
    }
  }
  verify(module);
  return module;
}

void Edit::remove_unneeded() {
  const std::vector<Instruction*> parameters = entry().parameters;
  for (const auto& computation : module_.computations) {
    for (const auto& one : computation->instructions) {
      std::erase_if(one->attributes, [](const auto& attribute) {
        return attribute.first == "control-predecessors";
      });
    }
    remove_unused(*computation,
                  {.parameters = computation.get() != module_.entry,
                   .messages = messages_stay_});
  }
  remove_uncalled(module_);
  if (!module_.entry_layout) return;
  std::vector<Shape> kept;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (std::ranges::find(entry().parameters, parameters[i]) !=
        entry().parameters.end()) {
      kept.push_back(module_.entry_layout->parameters.at(i));
    }
  }
  module_.entry_layout->parameters = std::move(kept);
}

std::vector<Literal> Edit::inputs() const {
  std::vector<Literal> found;
  for (int64_t device = 0; device < devices_; ++device) {
    for (const Instruction* parameter : entry().parameters) {
      const std::vector<Literal>& all = leaves_.at(parameter);
      const int64_t each = std::ssize(all) / devices_;
      found.insert(found.end(), all.begin() + device * each,
                   all.begin() + (device + 1) * each);
    }
  }
  return found;
}

Program Edit::finish() {
  remove_unneeded();
  Program program;
  program.inputs = inputs();
  std::vector<const Op*> given;
  for (;;) {
    try {
      Module module = with_types(derived(given), module_);
      lay_out(module, module_);
      verify(module);
      program.hlo = text::print(module);
      verified_module(program.hlo);
      return program;
    } catch (const Error& error) {
      const Instruction* const wanting =
          instruction_at(module_, error.location());
      if (error.rule() != "text.shape-needed" || wanting == nullptr ||
          std::ranges::find(given, wanting->op) != given.end()) {
        throw;
      }
      given.push_back(wanting->op);
    }
  }
}

Literal part_of(const Literal& array, int64_t d, int64_t start, int64_t size) {
  Shape shape = array.shape();
  shape.dims.at(static_cast<size_t>(d)) = size;
  Literal part(shape);
  for (int64_t i = 0; i < part.element_count(); ++i) {
    Index index = delinearize(i, shape.dims);
    index[static_cast<size_t>(d)] += start;
    part.set(i, array.at(index));
  }
  return part;
}

}  // namespace hlo::conformance
