#include "interpreter/builder/builder.h"

#include <algorithm>
#include <span>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/rules/clone.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/surroundings.h"
#include "interpreter/text/grammar/read_value.h"
#include "interpreter/text/scan/hlo_lexicon.h"
#include "interpreter/text/scan/scanner.h"
#include "interpreter/verify/verify.h"

namespace hlo::builder {
namespace {

std::string sanitized(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (!text::is_name_character(c)) c = '_';
  }
  if (result.empty() || text::is_digit(result[0])) result.insert(0, "_");
  return result;
}

/// What no text can say: sizes below zero, dimensions of what is no array.
void check_given(const Shape& shape) {
  constexpr int64_t kMostDimensions = 190;  // as many as texts may have
  const bool has_dims = shape.is_array() || shape.dims.empty();
  const bool marks_fit =
      shape.dynamic.empty() || shape.dynamic.size() == shape.dims.size();
  const bool sizes_fit = std::ranges::all_of(
      shape.dims, [](int64_t size) { return size >= 0 || size == kUnbounded; });
  require(has_dims && marks_fit && sizes_fit && shape.rank() <= kMostDimensions,
          "builder.C3",
          {"the shape has ", Count{shape.rank(), "dimension"}, " of sizes ",
           shape.dims},
          "it must have at most 190, of sizes that are not negative");
  std::ranges::for_each(shape.tuple_shapes, check_given);
}

size_t spec_position(const Op& op, std::string_view name) {
  const auto find = [name](std::span<const AttributeSpec> specs) {
    const auto found = std::ranges::find(specs, name, &AttributeSpec::name);
    return static_cast<size_t>(found - specs.begin());
  };
  const size_t position = find(op.attributes);
  if (position < op.attributes.size()) return position;
  return op.attributes.size() + find(common_attributes());
}

bool lists(std::string_view words, std::string_view word) {
  return (" " + std::string(words) + " ").find(" " + std::string(word) + " ") !=
         std::string::npos;
}

/// Words out of the lists of the operation.
void check_words(const Instruction& instruction) {
  for (const AttributeSpec& spec : instruction.op->attributes) {
    const AttributeValue* value = instruction.find(spec.name);
    if (value == nullptr) continue;
    std::vector<std::string> words;
    if (const auto* one = std::get_if<Word>(value)) words = {one->value};
    if (const auto* many = std::get_if<Words>(value)) words = many->values;
    for (const std::string& word : words) {
      require(!word.empty() && lists(spec.words, word), "text.word",
              {spec.name, " is \"", word, "\""},
              [&] { return "it must be one of: " + std::string(spec.words); });
    }
  }
}

}  // namespace

XlaBuilder& XlaOp::builder() const {
  require(builder_ != nullptr, "builder.C1", {"an operand has no builder"},
          "operands must be values of the builder that is called");
  return *builder_;
}

const Shape& XlaOp::shape() const {
  builder();
  return instruction_->shape;
}

XlaComputation::XlaComputation(Module module)
    : module_(std::make_shared<const Module>(std::move(module))) {}

const Module& XlaComputation::module() const {
  require(module_ != nullptr, "builder.C2",
          {"a computation that is used is empty"}, "it must have been built");
  return *module_;
}

XlaBuilder::XlaBuilder(std::string_view name) {
  main_.name = sanitized(name);
  module_.name = main_.name;
}

void XlaBuilder::set_devices(int64_t replicas, int64_t partitions) {
  std::swap(module_.replica_count, replicas);
  std::swap(module_.num_partitions, partitions);
  try {
    check_devices(module_);
  } catch (const Error&) {
    module_.replica_count = replicas;
    module_.num_partitions = partitions;
    throw;
  }
}

void XlaBuilder::SetAttribute(std::string_view name, std::string_view text) {
  const auto specs = common_attributes();
  const auto spec = std::ranges::find(specs, name, &AttributeSpec::name);
  require(spec != specs.end() && spec->kind != AttributeKind::kInstructions,
          "text.attribute-unknown",
          {"the attribute ", name, " is set for all instructions"},
          "it must be one that every instruction takes");
  std::optional<AttributeValue> value;
  if (!text.empty()) {
    text::Scanner in(text, text::kHloLexicon);
    value = text::read_value(in, *spec);
    if (!in.at_end()) in.expected("the end of the attribute");
  }
  std::erase_if(common_,
                [name](const auto& pair) { return pair.first == name; });
  if (value) common_.emplace_back(name, std::move(*value));
}

std::unique_ptr<XlaBuilder> XlaBuilder::CreateSubBuilder(
    std::string_view name) const {
  auto sub = std::make_unique<XlaBuilder>(name);
  sub->set_devices(module_.replica_count, module_.num_partitions);
  return sub;
}

XlaComputation XlaBuilder::Build() const {
  require(main_.root != nullptr, "text.empty", {"the computation is empty"},
          "it must have instructions");
  return build(*main_.root);
}

XlaComputation XlaBuilder::Build(XlaOp root) const {
  require(root.builder_ == this, "builder.C1",
          {"the root is of another builder"},
          "operands must be values of the builder that is called");
  return build(*root.instruction_);
}

XlaComputation XlaBuilder::build(const Instruction& root) const {
  Module built;
  built.name = module_.name;
  built.replica_count = module_.replica_count;
  built.num_partitions = module_.num_partitions;
  built.entry = copy_into(built, main_);
  Computation& entry = *built.entry;
  const auto copied = [&](const Instruction& instruction) {
    return entry.instructions[static_cast<size_t>(instruction.position)].get();
  };
  entry.root = copied(root);
  for (const auto& [number, parameter] : parameters_) {
    require(
        number == std::ssize(entry.parameters), "text.parameters",
        {"there is a parameter ", number, " and none ",
         entry.parameters.size()},
        "the parameters of a computation must be numbered from 0 without gaps");
    entry.parameters.push_back(copied(*parameter));
  }
  verify(built);
  return XlaComputation(std::move(built));
}

XlaOp XlaBuilder::add(std::string_view opcode, const XlaOps& operands,
                      Attributes attributes, std::optional<Shape> shape) {
  return append(
      make(opcode, operands, std::move(attributes), std::move(shape)));
}

Shape XlaBuilder::infer(std::string_view opcode, const XlaOps& operands,
                        Attributes attributes) {
  const auto instruction = make(opcode, operands, std::move(attributes), {});
  check(*instruction);
  budget_.drop_instruction();
  return instruction->shape;
}

void XlaBuilder::check(Instruction& instruction) {
  budget_.add_instruction();
  try {
    check_alone(instruction, budget_);
    if (instruction.op->check != nullptr) {
      instruction.op->check({.instruction = instruction,
                             .users = nullptr,
                             .module = module_,
                             .is_entry = false,
                             .has_buffers = false});
    }
  } catch (const Error& error) {
    budget_.drop_instruction();
    throw at(error, instruction);
  }
}

std::unique_ptr<Instruction> XlaBuilder::make(std::string_view opcode,
                                              const XlaOps& operands,
                                              Attributes attributes,
                                              std::optional<Shape> shape) {
  auto made = std::make_unique<Instruction>();
  made->op = find_op(opcode);
  require(made->op != nullptr, "text.opcode",
          {"there is no operation ", opcode}, "the operation must be known");
  for (const XlaOp& operand : operands) {
    require(operand.builder_ == this, "builder.C1",
            {"an operand of ", opcode, " is of another builder"},
            "operands must be values of the builder that is called");
    made->operands.push_back(operand.instruction_);
  }
  for (const auto& attribute : common_) {
    if (std::ranges::find(attributes, attribute.first,
                          &Attributes::value_type::first) == attributes.end()) {
      attributes.push_back(attribute);
    }
  }
  std::ranges::stable_sort(attributes, {}, [&](const auto& attribute) {
    return spec_position(*made->op, attribute.first);
  });
  made->name = std::string(opcode);
  made->attributes = std::move(attributes);
  check_words(*made);
  if (shape) {
    check_given(*shape);
    made->shape = std::move(*shape);
    made->has_shape = true;
  }
  made->parent = &main_;
  made->position = std::ssize(main_.instructions);
  return made;
}

XlaOp XlaBuilder::append(std::unique_ptr<Instruction> instruction) {
  check(*instruction);
  instruction->name = free_name(instruction->name);
  main_.instructions.push_back(std::move(instruction));
  main_.root = main_.instructions.back().get();
  return {main_.root, this};
}

std::string XlaBuilder::free_name(const std::string& name) {
  std::string result = name;
  int64_t& number = next_number_[name];
  while (!names_.insert(result).second) {
    result = name + "." + std::to_string(++number);
  }
  return result;
}

XlaOp XlaBuilder::add_parameter(int64_t number, const Shape& shape,
                                std::string_view name) {
  require(number >= 0 && !parameters_.contains(number), "builder.C4",
          {"a parameter has the number ", number, " again or below 0"},
          "each must have a number of its own, from 0");
  auto parameter = make("parameter", {}, {}, shape);
  parameter->parameter_number = number;
  parameter->name = sanitized(name);
  const XlaOp added = append(std::move(parameter));
  parameters_[number] = added.instruction_;
  return added;
}

XlaOp XlaBuilder::add_constant(Literal value) {
  auto constant = make("constant", {}, {}, value.shape());
  constant->literal = std::make_shared<const Literal>(std::move(value));
  return append(std::move(constant));
}

Computation* XlaBuilder::embed(const XlaComputation& computation) {
  const Module* const source = &computation.module();
  const auto found = embedded_.find(source);
  if (found != embedded_.end()) return found->second.copy;
  Computation* const copy = copy_into(module_, *source->entry);
  embedded_[source] = {computation, copy};
  return copy;
}

}  // namespace hlo::builder
