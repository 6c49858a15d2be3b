#include "interpreter/stablehlo/import/calls/carried_instruction.h"

#include <algorithm>
#include <map>

#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/import/importer/importer.h"
#include "interpreter/text/parser.h"

namespace hlo::stablehlo {
namespace {

constexpr std::string_view kLabel = "stablehlo.carried";

/// Computations of the carried module as computations of the program.
using Copies = std::map<const Computation*, Computation*>;

/// Lets the attributes of a copy point to copies; control dependencies are left
/// out.
void retarget(const Conversion& c, Instruction& instruction,
              const Copies& copies) {
  const auto copy_of = [&](const Computation* computation) {
    const auto found = copies.find(computation);
    c.require(found != copies.end(), kLabel,
              {"%", computation->name, " calls itself"}, "no computation may");
    return found->second;
  };
  std::erase_if(instruction.attributes, [](const auto& attribute) {
    return std::holds_alternative<std::vector<Instruction*>>(attribute.second);
  });
  for (auto& [name, value] : instruction.attributes) {
    if (auto* one = std::get_if<Computation*>(&value)) *one = copy_of(*one);
    auto* several = std::get_if<Computations>(&value);
    if (several == nullptr) continue;
    for (Computation*& computation : *several) {
      computation = copy_of(computation);
    }
  }
}

/// The instructions of `source` on the copies of their operands; the root.
Instruction* copy_body(const Conversion& c, const Computation& source,
                       Scope& scope, const Copies& copies) {
  std::map<const Instruction*, Instruction*> made;
  for (const Instruction* parameter : source.parameters) {
    made[parameter] = scope.builder.parameter(parameter->shape, "parameter");
  }
  for (const auto& instruction : source.instructions) {
    if (instruction->op->name == "parameter") continue;
    Values operands;
    for (const Instruction* operand : instruction->operands) {
      operands.push_back(made.at(operand));
    }
    Instruction* copied = scope.builder.copy(*instruction, std::move(operands));
    retarget(c, *copied, copies);
    made[instruction.get()] = copied;
  }
  return made.at(source.root);
}

/// All computations but the entry; callees stand before callers.
Copies copy_computations(const Conversion& c, const Module& module) {
  Copies copies;
  for (const auto& computation : module.computations) {
    if (computation.get() == module.entry) continue;
    Computation* copied = c.importer.computation(
        computation->name, c.op.location, nullptr, [&](Scope& scope) {
          return copy_body(c, *computation, scope, copies);
        });
    copied->execution_thread = computation->execution_thread;
    copies[computation.get()] = copied;
  }
  return copies;
}

/// The instruction of which `elements` are all the elements, in order; null
/// where there is none. What a send gives stays what its done takes.
Instruction* common_tuple(const Values& elements, const Shape& shape) {
  Instruction* tuple = nullptr;
  for (size_t i = 0; i < elements.size(); ++i) {
    const Instruction& element = *elements[i];
    if (element.op->name != "get-tuple-element" ||
        element.get<int64_t>("index") != static_cast<int64_t>(i) ||
        (tuple != nullptr && element.operands[0] != tuple)) {
      return nullptr;
    }
    tuple = element.operands[0];
  }
  const bool fits = tuple != nullptr && compatible(tuple->shape, shape, true);
  return fits ? tuple : nullptr;
}

Layout layout_of(const Shape& shape) {
  return shape.layout.value_or(default_layout(shape.rank()));
}

/// The value in the layout of `shape`, on which what `bitcast` gives depends:
/// values of StableHLO have none.
Instruction* laid_out(const Conversion& c, Instruction* leaf,
                      const Shape& shape) {
  if (!shape.is_array() || layout_of(leaf->shape) == layout_of(shape)) {
    return leaf;
  }
  Shape as_shape = leaf->shape;
  as_shape.layout = shape.layout;
  return c.build().add("copy", as_shape, {leaf});
}

/// A value of the shape, made of the next leaves.
Instruction* assembled(const Conversion& c, const Shape& shape, size_t& next) {
  if (!shape.is_tuple()) {
    Instruction* leaf = c.operand(next++);
    c.require(
        compatible(leaf->shape, shape, true), kLabel,
        {"an operand is ", leaf->shape, " and that of the instruction ", shape},
        "they must have one shape");
    return laid_out(c, leaf, shape);
  }
  Values elements;
  for (const Shape& part : shape.tuple_shapes) {
    elements.push_back(assembled(c, part, next));
  }
  Instruction* tuple = common_tuple(elements, shape);
  return tuple != nullptr ? tuple : c.build().tuple(std::move(elements));
}

void append_leaves(const Conversion& c, Instruction* value, Values& results) {
  if (!value->shape.is_tuple()) {
    results.push_back(value);
    return;
  }
  for (int64_t i = 0; i < std::ssize(value->shape.tuple_shapes); ++i) {
    append_leaves(c, c.build().element(value, i), results);
  }
}

Module carried_module(const Conversion& c) {
  try {
    return text::parse(c.text("backend_config", ""));
  } catch (const Error& error) {
    c.fail(kLabel,
           std::string("backend_config is not a program: ") + error.message());
  }
}

/// The root takes the parameters, all of them in order, and nothing else is in
/// the entry.
bool is_one_instruction(const Computation& entry) {
  return entry.root->op->name != "parameter" &&
         entry.instructions.size() == entry.parameters.size() + 1 &&
         std::ranges::equal(entry.root->operands, entry.parameters);
}

}  // namespace

Values carried_instruction(const Conversion& c) {
  const Module module = carried_module(c);
  const Instruction& root = *module.entry->root;
  c.require(is_one_instruction(*module.entry), kLabel,
            {"the program has ",
             Count{std::ssize(module.entry->instructions), "instruction"}},
            "it must be one instruction on its parameters");
  c.require(
      "hlo." + std::string(root.op->name) == c.text("call_target_name", ""),
      kLabel,
      {"the instruction is ", root.op->name, " and call_target_name ",
       [&] { return c.text("call_target_name", ""); }},
      "the target must name the instruction");
  const Copies copies = copy_computations(c, module);
  Values operands;
  size_t next = 0;
  for (const Instruction* parameter : module.entry->parameters) {
    operands.push_back(assembled(c, parameter->shape, next));
  }
  c.require(next == c.operands.size(), kLabel,
            {"there are ", Count{std::ssize(c.operands), "operand"},
             " and the instruction takes ", next},
            "they must be those of the instruction");
  Instruction* made = c.build().copy(root, std::move(operands));
  retarget(c, *made, copies);
  Values results;
  append_leaves(c, made, results);
  return results;
}

}  // namespace hlo::stablehlo
