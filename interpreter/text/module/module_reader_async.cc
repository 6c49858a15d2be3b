#include <algorithm>

#include "interpreter/text/grammar/attribute_specs.h"
#include "interpreter/text/module/module_reader.h"

namespace hlo::text {
namespace {

/// ((operands), result, ...)
bool is_async_shape(const Shape& shape) {
  return shape.is_tuple() && shape.tuple_shapes.size() >= 2 &&
         shape.tuple_shapes[0].is_tuple();
}

std::unique_ptr<Instruction> make_parameter(const Shape& shape, int64_t number,
                                            Location location) {
  auto parameter = std::make_unique<Instruction>();
  parameter->op = find_op("parameter");
  parameter->name = "async_param";
  if (number > 0) parameter->name += "." + std::to_string(number);
  parameter->shape = shape;
  parameter->has_shape = true;
  parameter->parameter_number = number;
  parameter->location = location;
  return parameter;
}

/// Adds a parameter to a wrapped computation and hands it to the root.
void bind_operand(Computation& computation, const Shape& shape) {
  const auto number = static_cast<int64_t>(computation.parameters.size());
  auto parameter = make_parameter(shape, number, computation.location);
  parameter->parent = &computation;
  parameter->position = number;
  computation.parameters.push_back(parameter.get());
  computation.root->operands.push_back(parameter.get());
  computation.root->position = number + 1;
  computation.instructions.insert(computation.instructions.end() - 1,
                                  std::move(parameter));
}

}  // namespace

void ModuleReader::check_async(const Instruction& instruction,
                               size_t start) const {
  const std::string_view op = instruction.op->name;
  const bool begins = op == "async-start";
  const bool ends = op == "async-done";
  if (!begins && !ends && op != "async-update") return;
  const bool has_form =
      (!begins && !instruction.has_shape) || is_async_shape(instruction.shape);
  if (!ends && !has_form) {
    in_.fail_at(start, "text.async",
                "the shape is of another form: it must be ((operands...), "
                "result, ...)");
  }
  if (!begins) check_chain(instruction, start);
}

/// An update or a done goes on with what its first operand began.
void ModuleReader::check_chain(const Instruction& instruction,
                               size_t start) const {
  const auto demand = [&](bool condition, std::string_view message) {
    if (!condition) in_.fail_at(start, "text.async", message);
  };
  constexpr std::string_view kOperand =
      "the first operand must be the async-start or async-update before";
  const Instruction& before = *instruction.operands[0];
  demand(before.op->name != "async-done",
         "the chain goes on after its async-done, but must end there");
  demand(!before.has_shape || is_async_shape(before.shape), kOperand);
  const auto chain = scope_.async.find(&before);
  if (chain == scope_.async.end()) return;
  demand(
      instruction.get_or<Computation*>("calls", chain->second) == chain->second,
      "'calls' is another computation than that of the async-start");
  if (chain->second->root == nullptr) return;  // it comes later
  const std::string_view wrapped = chain->second->root->op->name;
  demand(instruction.async_sugar.empty() || instruction.async_sugar == wrapped,
         "the chain goes on with another operation, but was started with " +
             std::string(wrapped));
}

/// Makes the computation that `<op>-start` calls: parameters for the operands
/// and the operation with its own attributes as the root.
void ModuleReader::wrap(Instruction& instruction, const Op& wrapped,
                        size_t start) {
  auto computation = std::make_unique<Computation>();
  computation->location = instruction.location;
  auto root = std::make_unique<Instruction>();
  root->op = &wrapped;
  root->name = std::string(wrapped.name);
  root->shape = instruction.shape.tuple_shapes[1];
  root->has_shape = true;
  root->location = instruction.location;
  root->parent = computation.get();
  Attributes own;
  for (auto& attribute : instruction.attributes) {
    const bool is_wrapped =
        find_spec(wrapped.attributes, attribute.first) != nullptr;
    (is_wrapped ? root->attributes : own).push_back(std::move(attribute));
  }
  sort_attributes(wrapped, root->attributes);
  check_required(*root, start);
  computation->root = root.get();
  scope_.wrapped_roots.emplace_back(root.get(), start);
  computation->instructions.push_back(std::move(root));
  const Shapes& operands = instruction.shape.tuple_shapes[0].tuple_shapes;
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    const Instruction& operand = *instruction.operands[i];
    const bool is_stated = !operand.has_shape && i < operands.size();
    bind_operand(*computation, is_stated ? operands[i] : operand.shape);
  }
  own.emplace_back("calls", computation.get());
  instruction.attributes = std::move(own);
  sort_attributes(*instruction.op, instruction.attributes);
  const AttributeValue* const thread =
      instruction.find("async_execution_thread");
  if (thread != nullptr) {
    computation->execution_thread = std::get<std::string>(*thread);
  }
  unnamed_.emplace_back(computation.get(), "async_wrapped");
  scope_.wrapped.push_back(std::move(computation));
}

/// Notes which computation the instruction's chain runs, and binds operands
/// that come with an update.
void ModuleReader::follow_async(const Instruction& instruction, size_t) {
  const std::string_view op = instruction.op->name;
  if (!op.starts_with("async-")) return;
  Computation* computation = nullptr;
  if (const AttributeValue* calls = instruction.find("calls")) {
    computation = std::get<Computation*>(*calls);
  } else if (!instruction.operands.empty()) {
    const auto chain = scope_.async.find(instruction.operands[0]);
    if (chain != scope_.async.end()) computation = chain->second;
  }
  if (computation == nullptr) return;
  scope_.async.emplace(&instruction, computation);
  if (op != "async-start") {
    extend_wrapped(*computation, instruction);
  }
}

void ModuleReader::extend_wrapped(Computation& computation,
                                  const Instruction& instruction) const {
  const auto is_root = [&](const auto& entry) {
    return entry.first == computation.root;
  };
  const auto& roots = scope_.wrapped_roots;
  if (std::find_if(roots.begin(), roots.end(), is_root) == roots.end()) return;
  for (size_t i = 1; i < instruction.operands.size(); ++i) {
    bind_operand(computation, instruction.operands[i]->shape);
  }
  Instruction& root = *computation.root;
  if (instruction.op->name == "async-done" && instruction.has_shape &&
      root.shape == Shape::tuple({})) {
    root.shape = instruction.shape;
  }
}

}  // namespace hlo::text
