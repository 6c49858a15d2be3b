#include "interpreter/stablehlo/import/importer/instruction_builder.h"

#include <algorithm>
#include <utility>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/operand_count.h"
#include "interpreter/text/grammar/attribute_specs.h"

namespace hlo::stablehlo {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (c >= '0' && c <= '9') || c == '.' || c == '-';
}

void check_operand_count(const Instruction& instruction) {
  const auto wanted =
      wanted_operands(*instruction.op, instruction.operands.size());
  if (!wanted) return;
  throw Error(Phase::kVerify, "stablehlo.operand-count",
              joined({instruction.op->name, " has ",
                      Count{std::ssize(instruction.operands), "operand"},
                      ", but it must have ", *wanted}),
              instruction.location);
}

/// The shape by the operation's own rule, with the place in its errors.
Shape inferred(const Instruction& instruction) {
  try {
    return instruction.op->infer(instruction);
  } catch (const Error& error) {
    if (error.rule() == "text.shape-needed") {
      throw Error(Phase::kVerify, "stablehlo.dynamic",
                  "the shape does not follow from what is constant, but "
                  "dynamic shapes cannot be imported here",
                  instruction.location);
    }
    throw Error(error.phase(), error.rule(), error.message(),
                instruction.location);
  }
}

}  // namespace

bool is_static(const Shape& shape) {
  return std::ranges::find(shape.dims, kUnbounded) == shape.dims.end() &&
         std::ranges::all_of(shape.tuple_shapes, is_static);
}

Literal number(const Shape& shape, double value) {
  const ElementType type = shape.element_type;
  if (is_integer(type) || type == ElementType::kPred) {
    return integer(shape, static_cast<int64_t>(value));
  }
  const uint64_t bits =
      numeric::encode(value, numeric::format(component_type(type)));
  return Literal::splat(shape, {type, {bits, 0}});
}

Literal integer(const Shape& shape, int64_t value) {
  const ElementType type = shape.element_type;
  const uint64_t mask = ~uint64_t{0} >> (64 - bits(type));
  return Literal::splat(shape, {type, {static_cast<uint64_t>(value) & mask}});
}

std::string hlo_name(std::string_view text) {
  std::string name;
  for (const char c : text) name += is_word(c) ? c : '_';
  const bool starts = !name.empty() && name[0] != '.' && name[0] != '-' &&
                      (name[0] < '0' || name[0] > '9');
  return starts ? name : "_" + name;
}

std::string InstructionBuilder::free_name(std::string_view wish) {
  std::string name = hlo_name(wish);
  if (names_.insert(name).second) return name;
  int64_t& last = last_[name];
  std::string numbered;
  do {
    numbered = name + "." + std::to_string(++last);
  } while (!names_.insert(numbered).second);
  return numbered;
}

Instruction* InstructionBuilder::append(
    std::unique_ptr<Instruction> instruction, std::string_view wish) {
  instruction->name = free_name(wish);
  instruction->parent = &computation_;
  instruction->location = location;
  instruction->position =
      static_cast<int64_t>(computation_.instructions.size());
  computation_.instructions.push_back(std::move(instruction));
  return computation_.instructions.back().get();
}

Instruction* InstructionBuilder::add(std::string_view op, const Shape& shape,
                                     Values operands, Attributes attributes) {
  auto instruction = std::make_unique<Instruction>();
  instruction->op = find_op(op);
  instruction->operands = std::move(operands);
  instruction->attributes = std::move(attributes);
  text::sort_attributes(*instruction->op, instruction->attributes);
  instruction->shape = shape;
  instruction->location = location;
  instruction->has_shape = true;
  check_operand_count(*instruction);
  if (!is_static(shape)) {
    instruction->has_shape = false;
    instruction->shape = inferred(*instruction);
    instruction->has_shape = true;
  }
  return append(std::move(instruction), op);
}

Instruction* InstructionBuilder::add(std::string_view op, Values operands,
                                     Attributes attributes) {
  Shape open = Shape::array(ElementType::kF32, {kUnbounded});
  return add(op, open, std::move(operands), std::move(attributes));
}

Instruction* InstructionBuilder::parameter(const Shape& shape,
                                           std::string_view wish) {
  auto parameter = std::make_unique<Instruction>();
  parameter->op = find_op("parameter");
  parameter->shape = shape;
  parameter->has_shape = true;
  parameter->parameter_number =
      static_cast<int64_t>(computation_.parameters.size());
  computation_.parameters.push_back(append(std::move(parameter), wish));
  return computation_.parameters.back();
}

Instruction* InstructionBuilder::constant(Literal literal) {
  auto constant = std::make_unique<Instruction>();
  constant->op = find_op("constant");
  constant->shape = literal.shape();
  constant->has_shape = true;
  constant->literal = std::make_shared<const Literal>(std::move(literal));
  return append(std::move(constant), "constant");
}

Instruction* InstructionBuilder::copy(const Instruction& source,
                                      Values operands) {
  auto instruction = std::make_unique<Instruction>(source);
  instruction->operands = std::move(operands);
  return append(std::move(instruction), source.op->name);
}

Instruction* InstructionBuilder::tuple(Values elements) {
  std::vector<Shape> shapes;
  for (const Instruction* element : elements) shapes.push_back(element->shape);
  return add("tuple", Shape::tuple(std::move(shapes)), std::move(elements));
}

Instruction* InstructionBuilder::element(Instruction* tuple, int64_t index) {
  const Shape& shape = tuple->shape.tuple_shapes.at(static_cast<size_t>(index));
  return add("get-tuple-element", shape, {tuple}, {{"index", index}});
}

Values InstructionBuilder::split(Instruction* value, size_t count) {
  if (count == 1) return {value};
  if (value->shape.tuple_shapes.size() != count) {
    throw Error(Phase::kVerify, "stablehlo.result-count",
                joined({"the operation has ",
                        Count{static_cast<int64_t>(count), "result"},
                        ", but what it gives is ", value->shape}),
                location);
  }
  Values elements;
  for (size_t i = 0; i < count; ++i) {
    elements.push_back(element(value, static_cast<int64_t>(i)));
  }
  return elements;
}

Instruction* InstructionBuilder::join(const Values& values) {
  return values.size() == 1 ? values[0] : tuple(values);
}

Instruction* InstructionBuilder::broadcast(Instruction* value,
                                           const std::vector<int64_t>& dims,
                                           const Ints& dimensions) {
  return add("broadcast", Shape::array(value->shape.element_type, dims),
             {value}, {{"dimensions", dimensions}});
}

Instruction* InstructionBuilder::reshape(Instruction* value,
                                         std::vector<int64_t> dims) {
  if (value->shape.dims == dims) return value;
  return add("reshape",
             Shape::array(value->shape.element_type, std::move(dims)), {value});
}

Instruction* InstructionBuilder::convert(Instruction* value, ElementType type) {
  if (value->shape.element_type == type) return value;
  Shape shape = value->shape;
  shape.element_type = type;
  return add("convert", shape, {value});
}

}  // namespace hlo::stablehlo
