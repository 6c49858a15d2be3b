#include "interpreter/rules/clone.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "interpreter/rules/callee.h"
#include "interpreter/rules/forms.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

/// Copies computations into a module and follows the pointers between them.
class Cloner {
 public:
  explicit Cloner(Module& target) : target_(target) {}

  /// Copies these computations and all that they call, callees first.
  void copy(const Computations& sources) {
    for (const Computation* source : with_called(sources)) copy(*source);
  }

  /// The copy of the computation, made the first time. What it calls has been
  /// copied.
  Computation* copy(const Computation& source) {
    const auto found = computations_.find(&source);
    if (found != computations_.end()) return found->second;
    auto owned = std::make_unique<Computation>();
    Computation* result = owned.get();
    computations_[&source] = result;
    result->name = source.name;
    result->execution_thread = source.execution_thread;
    result->declared_result = source.declared_result;
    result->location = source.location;
    for (const auto& instruction : source.instructions) {
      copy(*instruction, *result);
    }
    for (const Instruction* parameter : source.parameters) {
      result->parameters.push_back(instructions_.at(parameter));
    }
    result->root = instructions_.at(source.root);
    target_.computations.push_back(std::move(owned));
    return result;
  }

  /// The instruction's attributes for a copy of it, which points to copies of
  /// what it calls.
  Attributes attributes(const Instruction& source) {
    Attributes copied;
    for (const auto& [name, value] : source.attributes) {
      copied.emplace_back(name, retarget(value));
    }
    return copied;
  }

 private:
  void copy(const Instruction& source, Computation& parent) {
    auto owned = std::make_unique<Instruction>(source);
    owned->parent = &parent;
    owned->attributes = attributes(source);
    for (Instruction*& operand : owned->operands) {
      operand = instructions_.at(operand);
    }
    instructions_[&source] = owned.get();
    parent.instructions.push_back(std::move(owned));
  }

  AttributeValue retarget(const AttributeValue& value) {
    if (const auto* one = std::get_if<Computation*>(&value)) {
      return copy(**one);
    }
    if (const auto* many = std::get_if<Computations>(&value)) {
      Computations copies;
      for (const Computation* computation : *many) {
        copies.push_back(copy(*computation));
      }
      return copies;
    }
    if (const auto* list = std::get_if<std::vector<Instruction*>>(&value)) {
      std::vector<Instruction*> copies;
      for (Instruction* instruction : *list) {
        copies.push_back(instructions_.at(instruction));
      }
      return copies;
    }
    return value;
  }

  Module& target_;
  std::map<const Computation*, Computation*> computations_;
  std::map<const Instruction*, Instruction*> instructions_;
};

Instruction* append(Computation& computation,
                    std::unique_ptr<Instruction> instruction) {
  instruction->parent = &computation;
  instruction->position = static_cast<int64_t>(computation.instructions.size());
  computation.instructions.push_back(std::move(instruction));
  return computation.instructions.back().get();
}

Instruction* append_parameter(Computation& computation, const Shape& shape) {
  auto parameter = std::make_unique<Instruction>();
  parameter->parameter_number =
      static_cast<int64_t>(computation.parameters.size());
  parameter->name = "operand." + std::to_string(parameter->parameter_number);
  parameter->op = &op_of(Form::kParameter);
  parameter->shape = shape;
  parameter->has_shape = true;
  computation.parameters.push_back(append(computation, std::move(parameter)));
  return computation.parameters.back();
}

/// The shape of an array whose dimensions are not dynamic.
Shape without_sizes(const Shape& shape) {
  Shape whole = shape;
  whole.dynamic.clear();
  return whole;
}

/// The array with a size for each dimension that is dynamic in `shape`.
Instruction* append_sizes(Computation& computation, Instruction* array,
                          const Shape& shape) {
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (!shape.is_dynamic(d)) continue;
    auto set = std::make_unique<Instruction>();
    set->op = &op_of(Form::kResize);
    set->shape = array->shape;
    set->shape.set_dynamic(d, true);
    set->has_shape = true;
    set->operands = {
        array, append_parameter(computation, Shape::scalar(ElementType::kS32))};
    set->attributes = {{"dimensions", Ints{d}}};
    set->name = set->operands[1]->name + ".set";
    array = append(computation, std::move(set));
  }
  return array;
}

/// The name, or with a number behind it.
std::string free_name(const std::string& name,
                      const std::set<std::string, std::less<>>& taken) {
  std::string result = name;
  for (int64_t n = 1; taken.contains(result); ++n) {
    result = name + "." + std::to_string(n);
  }
  return result;
}

bool points_to_instructions(const AttributeValue& value) {
  return std::holds_alternative<std::vector<Instruction*>>(value);
}

/// The shape with marks where the array has fewer elements than its bounds.
Shape marked(const Shape& shape, const Literal& array) {
  Shape told = shape;
  const std::vector<int64_t>& sizes = array.dynamic_sizes();
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] < shape.dims[d]) {
      told.set_dynamic(static_cast<int64_t>(d), true);
    }
  }
  return told;
}

/// With `sized` the sizes of dynamic dimensions are parameters of their own,
/// those of the operands, where they are given, too.
Module extract(const Instruction& instruction, bool sized,
               std::span<const Literal> operands = {}) {
  Module module;
  module.name = "extracted";
  auto entry = std::make_unique<Computation>();
  entry->name = "main";
  auto copy = std::make_unique<Instruction>(instruction);
  std::erase_if(copy->attributes, [](const auto& attribute) {
    return points_to_instructions(attribute.second);
  });
  Cloner cloner(module);
  cloner.copy(called_by(instruction));
  copy->attributes = cloner.attributes(*copy);
  std::vector<Shape> shapes;
  for (Instruction*& operand : copy->operands) {
    const Shape& shape = operand->shape;
    shapes.push_back(operands.empty() ? shape
                                      : marked(shape, operands[shapes.size()]));
    operand = append_parameter(*entry, sized ? without_sizes(shape) : shape);
  }
  for (size_t i = 0; sized && i < shapes.size(); ++i) {
    copy->operands[i] = append_sizes(*entry, copy->operands[i], shapes[i]);
  }
  entry->root = append(*entry, std::move(copy));
  module.entry = entry.get();
  module.computations.push_back(std::move(entry));
  return module;
}

}  // namespace

Module clone(const Module& module) {
  Module result;
  result.name = module.name;
  result.entry_layout = module.entry_layout;
  result.header = module.header;
  result.stack_frames = module.stack_frames;
  result.replica_count = module.replica_count;
  result.num_partitions = module.num_partitions;
  Cloner cloner(result);
  for (const auto& computation : module.computations) {
    cloner.copy(*computation);
  }
  result.entry = cloner.copy(*module.entry);
  return result;
}

Computation* copy_into(Module& target, const Computation& source) {
  const size_t first = target.computations.size();
  Cloner cloner(target);
  cloner.copy(called_by(source));
  Computation* const copied = cloner.copy(source);
  std::set<std::string, std::less<>> taken;
  for (size_t c = 0; c < target.computations.size(); ++c) {
    std::string& name = target.computations[c]->name;
    if (c >= first) name = free_name(name, taken);
    taken.insert(name);
  }
  return copied;
}

Module extract(const Instruction& instruction) {
  return extract(instruction, /*sized=*/false);
}

Module extract_sized(const Instruction& instruction) {
  return extract(instruction, /*sized=*/true);
}

Module extract_sized(const Instruction& instruction,
                     std::span<const Literal> operands) {
  return extract(instruction, /*sized=*/true, operands);
}

Module extract_sized(const Instruction& instruction, const Instruction& end) {
  Module module = extract_sized(instruction);
  auto copy = std::make_unique<Instruction>(end);
  copy->operands = {module.entry->root};
  module.entry->root = append(*module.entry, std::move(copy));
  return module;
}

std::vector<Literal> sized_arguments(const Instruction& instruction,
                                     std::span<const Literal> operands,
                                     Sizes which) {
  std::vector<Literal> arguments;
  std::vector<Literal> all_sizes;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Shape& own_shape = instruction.operand_shape(i);
    const Shape shape =
        which == Sizes::kAll ? marked(own_shape, operands[i]) : own_shape;
    arguments.push_back(operands[i].with_shape(without_sizes(shape)));
    if (!shape.is_array()) continue;
    arguments.back().set_dynamic_sizes({});
    const std::vector<int64_t>& own = operands[i].dynamic_sizes();
    const std::vector<int64_t>& sizes = own.empty() ? shape.dims : own;
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (!shape.is_dynamic(d)) continue;
      const auto size = static_cast<uint32_t>(sizes[static_cast<size_t>(d)]);
      all_sizes.push_back(
          Literal::of({.type = ElementType::kS32, .bits = {size, 0}}));
    }
  }
  std::ranges::move(all_sizes, std::back_inserter(arguments));
  return arguments;
}

bool has_unmarked_sizes(const Instruction& instruction,
                        std::span<const Literal> operands) {
  for (size_t i = 0; i < operands.size(); ++i) {
    const Shape& shape = instruction.operand_shape(i);
    if (marked(shape, operands[i]) != shape) return true;
  }
  return false;
}

}  // namespace hlo
