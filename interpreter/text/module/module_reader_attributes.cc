#include "interpreter/shortened.h"
#include "interpreter/text/grammar/attribute_specs.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_value.h"
#include "interpreter/text/module/module_reader.h"

namespace hlo::text {

/// Attributes of the operation, of the one that async sugar wraps, and common
/// ones, in any order.
void ModuleReader::read_attributes(Instruction& instruction,
                                   const Op* wrapped) {
  const bool begins_async =
      wrapped != nullptr && instruction.op->name == "async-start";
  while (in_.eat(',')) {
    const size_t start = in_.position();
    const std::string_view name = in_.word("the name of an attribute");
    const AttributeSpec* spec = nullptr;
    if (begins_async) spec = find_spec(wrapped->attributes, name);
    const bool hidden = begins_async && name == "calls";
    if (spec == nullptr && !hidden) {
      spec = find_spec(instruction.op->attributes, name);
    }
    if (spec == nullptr) spec = find_spec(common_attributes(), name);
    if (spec == nullptr) {
      in_.fail_at(start, "text.attribute-unknown",
                  std::string(instruction.op->name) + " takes no attribute '" +
                      shortened(name) + "'");
    }
    if (instruction.find(name) != nullptr) {
      in_.fail_at(start, "text.attribute-duplicate",
                  "the attribute '" + shortened(name) + "' stands there twice");
    }
    in_.expect('=', "behind the name of an attribute");
    instruction.attributes.emplace_back(name, read_attribute(*spec));
  }
  if (!begins_async) sort_attributes(*instruction.op, instruction.attributes);
}

AttributeValue ModuleReader::read_attribute(const AttributeSpec& spec) {
  if (spec.kind == AttributeKind::kComputation) {
    return read_computation_reference(spec.name);
  }
  if (spec.kind == AttributeKind::kComputations) {
    Computations computations;
    if (in_.peek() != '{') {
      computations.push_back(read_computation_reference(spec.name));
      return computations;
    }
    read_list(in_, '{', '}', [&] {
      computations.push_back(read_computation_reference(spec.name));
    });
    return computations;
  }
  if (spec.kind == AttributeKind::kInstructions) {
    std::vector<Instruction*> instructions;
    read_list(in_, '{', '}',
              [&] { instructions.push_back(read_instruction_reference()); });
    return instructions;
  }
  return read_value(in_, spec);
}

/// The name of a computation, or its instructions between braces.
Computation* ModuleReader::read_computation_reference(
    std::string_view attribute) {
  const size_t start = in_.position();
  if (in_.peek() == '{') {
    auto computation = std::make_unique<Computation>();
    computation->location = in_.location();
    Computation* const done = read_body(std::move(computation), start);
    unnamed_.emplace_back(done, attribute);
    return done;
  }
  const std::string_view name = in_.name("the name of a computation");
  const auto found = computations_.find(name);
  return found == computations_.end() ? declare(name, start) : found->second;
}

Instruction* ModuleReader::read_instruction_reference() {
  const size_t start = in_.position();
  const std::string_view name = in_.name("the name of an instruction");
  const auto found = scope_.names.find(name);
  if (found == scope_.names.end()) {
    in_.fail_at(
        start, "text.undefined",
        "there is no instruction '" + shortened(name) + "' before this one");
  }
  return found->second;
}

void ModuleReader::check_required(const Instruction& instruction,
                                  size_t start) const {
  for (const AttributeSpec& spec : instruction.op->attributes) {
    if (!spec.required || instruction.find(spec.name) != nullptr) continue;
    in_.fail_at(start, "text.attribute-missing",
                std::string(instruction.op->name) + " needs the attribute '" +
                    std::string(spec.name) + "'");
  }
}

}  // namespace hlo::text
