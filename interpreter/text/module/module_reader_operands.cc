#include "interpreter/shortened.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_shape.h"
#include "interpreter/text/module/module_reader.h"

namespace hlo::text {

void ModuleReader::read_operands(Instruction& instruction) {
  if (in_.peek() != '(') in_.expected("'(' before the operands");
  read_list(in_, '(', ')',
            [&] { instruction.operands.push_back(read_operand()); });
}

Instruction* ModuleReader::read_operand() {
  const size_t start = in_.position();
  std::optional<Shape> shape;
  if (at_shape(in_)) shape = read_shape(in_);
  const Shape* const given = shape ? &*shape : nullptr;
  if (is_single() && given != nullptr &&
      (in_.peek() == ',' || in_.peek() == ')')) {
    return missing_parameter({}, *given);
  }
  if (given != nullptr) in_.eat(',');  // XLA lets one stand here
  const size_t name_start = in_.position();
  const bool is_name = in_.peek() == '%';
  const std::string_view name = in_.name("an operand");
  if (!is_name && in_.peek() == '(') {  // an instruction of its own
    in_.seek(start);
    return read_rest({}, start, /*is_nested=*/true);
  }
  Instruction* operand = find_operand(name, given, name_start);
  while (in_.eat('#')) {
    operand =
        element_of(operand, in_.natural("the index of an element"), name_start);
  }
  if (given != nullptr && operand->has_shape &&
      !compatible(*given, operand->shape, /*ignore_dynamic=*/true)) {
    in_.fail_at(start, "text.operand-shape",
                joined({"the operand has the shape ", operand->shape,
                        ", but the text says ", *given}));
  }
  return operand;
}

Instruction* ModuleReader::find_operand(std::string_view name,
                                        const Shape* shape, size_t start) {
  const auto found = scope_.names.find(name);
  if (found != scope_.names.end()) return found->second;
  if (is_single() && shape != nullptr) return missing_parameter(name, *shape);
  in_.fail_at(
      start, "text.undefined",
      "there is no instruction '" + shortened(name) + "' before this one");
}

Instruction* ModuleReader::missing_parameter(std::string_view name,
                                             const Shape& shape) {
  auto parameter = std::make_unique<Instruction>();
  parameter->op = find_op("parameter");
  parameter->shape = shape;
  parameter->has_shape = true;
  parameter->location = in_.location();
  parameter->parameter_number = 0;
  for (const auto& other : scope_.computation->instructions) {
    if (other->parameter_number >= 0) ++parameter->parameter_number;
  }
  Instruction* const done = append(std::move(parameter));
  set_name(done, name, in_.position());
  return done;
}

/// The get-tuple-element that `tuple#index` stands for, made once.
Instruction* ModuleReader::element_of(Instruction* tuple, int64_t index,
                                      size_t start) {
  const auto place = static_cast<size_t>(index);
  if (tuple->has_shape &&
      (!tuple->shape.is_tuple() || place >= tuple->shape.tuple_shapes.size())) {
    in_.fail_at(start, "text.tuple-index",
                "the shape " + to_string(tuple->shape, false) +
                    " has no element " + std::to_string(index));
  }
  Instruction*& known = scope_.elements[{tuple, index}];
  if (known != nullptr) return known;
  auto element = std::make_unique<Instruction>();
  element->op = find_op("get-tuple-element");
  if (element->op == nullptr) {
    in_.fail_at(start, "text.opcode", "there is no get-tuple-element");
  }
  element->operands.push_back(tuple);
  element->attributes.emplace_back("index", index);
  element->location = in_.location(start);
  if (tuple->has_shape) {
    element->shape = tuple->shape.tuple_shapes[place];
    element->has_shape = true;
  }
  known = append(std::move(element));
  scope_.unnamed.emplace_back(
      known, tuple->name.empty() ? "get-tuple-element"
                                 : tuple->name + "." + std::to_string(index));
  return known;
}

}  // namespace hlo::text
