#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "interpreter/rules/op.h"
#include "interpreter/rules/operand_count.h"
#include "interpreter/shortened.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

// As much of an instruction's text stands in a message.
constexpr size_t kSummaryLength = 150;

/// The position of T among the alternatives of a variant.
template <typename T, typename... Alternatives>
constexpr size_t position_in(const std::variant<Alternatives...>* /*type*/) {
  size_t position = 0;
  (void)((std::is_same_v<T, Alternatives> || (++position, false)) || ...);
  return position;
}

template <typename T>
constexpr size_t kPosition =
    position_in<T>(static_cast<const AttributeValue*>(nullptr));

/// The alternative of AttributeValue that values of `kind` have.
size_t alternative(AttributeKind kind) {
  using enum AttributeKind;
  static const std::map<AttributeKind, size_t> positions = {
      {kBool, kPosition<bool>},
      {kInt, kPosition<int64_t>},
      {kString, kPosition<std::string>},
      {kInts, kPosition<Ints>},
      {kBools, kPosition<Ints>},
      {kIntPairs, kPosition<IntPairs>},
      {kWindow, kPosition<Window>},
      {kPadding, kPosition<PaddingConfig>},
      {kSlice, kPosition<SliceConfig>},
      {kDimLabels, kPosition<DimLabels>},
      {kReplicaGroups, kPosition<ReplicaGroups>},
      {kWord, kPosition<Word>},
      {kWords, kPosition<Words>},
      {kDecimal, kPosition<Decimal>},
      {kShape, kPosition<Shape>},
      {kShapes, kPosition<Shapes>},
      {kComputation, kPosition<Computation*>},
      {kComputations, kPosition<Computations>},
      {kLiteral, kPosition<std::shared_ptr<const Literal>>},
      {kInstructions, kPosition<std::vector<Instruction*>>}};
  const auto found = positions.find(kind);
  return found == positions.end() ? kPosition<Verbatim> : found->second;
}

bool holds(AttributeKind kind, const AttributeValue& value) {
  return value.index() == alternative(kind) ||
         (kind == AttributeKind::kJson &&
          std::holds_alternative<std::string>(value));
}

const AttributeSpec* find_spec(std::span<const AttributeSpec> specs,
                               std::string_view name) {
  const auto found = std::ranges::find(specs, name, &AttributeSpec::name);
  return found == specs.end() ? nullptr : &*found;
}

/// Whether the words are among those of the attribute, where it lists any.
bool lists(const AttributeSpec& spec, const AttributeValue& value) {
  const auto is_listed = [&](const std::string& word) {
    const std::string all = " " + std::string(spec.words) + " ";
    return spec.words.empty() ||
           (word.find(' ') == std::string::npos &&
            all.find(" " + word + " ") != std::string::npos);
  };
  if (const auto* one = std::get_if<Word>(&value)) return is_listed(one->value);
  const auto* several = std::get_if<Words>(&value);
  return several == nullptr || std::ranges::all_of(several->values, is_listed);
}

bool compatible_but_for_precision(const Shape& a, const Shape& b) {
  const bool same_type = a.element_type == b.element_type ||
                         (is_float(a.element_type) && is_float(b.element_type));
  return same_type && a.dims == b.dims &&
         std::ranges::equal(a.tuple_shapes, b.tuple_shapes,
                            compatible_but_for_precision);
}

/// Whether the text may give another float type than the inferred one: where
/// nothing is evaluated, where elements are converted as they are moved, and
/// for folds and operations between devices, which round their results once
/// more.
bool may_round(const Op& op) {
  return !op.is_defined() || op.source != nullptr || op.cells != nullptr ||
         op.communicate != nullptr;
}

bool fits(const Instruction& instruction, const Shape& inferred) {
  return compatible(inferred, instruction.shape, true) ||
         (may_round(*instruction.op) &&
          compatible_but_for_precision(inferred, instruction.shape));
}

// A program of n instructions may copy kNodes + n * kNodesEach parts of shapes.
constexpr int64_t kNodes = 250'000;
constexpr int64_t kNodesEach = 100;
constexpr int kDeepest = 200;

int64_t count_nodes(const Shape& shape, int depth) {
  require(depth <= kDeepest, "module.shapes",
          {"tuples are nested more than 200 deep"},
          "that is the deepest they can be");
  int64_t count = 1;
  for (const Shape& element : shape.tuple_shapes) {
    count += count_nodes(element, depth + 1);
  }
  return count;
}

}  // namespace

ShapeBudget::ShapeBudget() : left_(kNodes) {}

ShapeBudget::ShapeBudget(const Module& module) : left_(kNodes) {
  for (const auto& computation : module.computations) {
    left_ += std::ssize(computation->instructions) * kNodesEach;
  }
}

void ShapeBudget::begin(const Computation& computation) {
  nodes_.assign(computation.instructions.size(), 0);
}

void ShapeBudget::add_instruction() {
  left_before_ = left_;
  left_ += kNodesEach;
  nodes_.push_back(0);
}

void ShapeBudget::drop_instruction() {
  left_ = left_before_;
  nodes_.pop_back();
}

void ShapeBudget::take(int64_t nodes) {
  left_ -= nodes;
  require(left_ >= 0, "module.shapes",
          {"the tuples of the program have too many elements"},
          "together they can have at most 250,000, and 100 more for each "
          "instruction");
}

void ShapeBudget::take_operands(const Instruction& instruction) {
  if (instruction.op->form == Form::kElement) return;
  for (const Instruction* operand : instruction.operands) {
    take(nodes_[static_cast<size_t>(operand->position)]);
  }
}

void ShapeBudget::take_result(const Instruction& instruction) {
  const int64_t nodes = count_nodes(instruction.shape, 0);
  nodes_[static_cast<size_t>(instruction.position)] = nodes;
  take(nodes);
}

std::string summary(const Instruction& instruction) {
  std::string text = "%" + instruction.name + " = ";
  if (instruction.has_shape) text += to_string(instruction.shape) + " ";
  text.append(instruction.op->name).append("(");
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    if (i > 0) text += ", ";
    text += "%" + instruction.operands[i]->name;
  }
  return shortened(text + ")", kSummaryLength);
}

std::vector<UserList> find_users(const Computation& computation) {
  std::vector<UserList> users(computation.instructions.size());
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) {
      UserList& list = users[static_cast<size_t>(operand->position)];
      if (list.empty() || list.back() != instruction.get()) {
        list.push_back(instruction.get());
      }
    }
  }
  return users;
}

namespace {

std::string words_of(const AttributeValue& value) {
  if (const auto* one = std::get_if<Word>(&value)) return one->value;
  std::string text;
  for (const std::string& word : std::get<Words>(value).values) {
    text += (text.empty() ? "" : ",") + word;
  }
  return text;
}

}  // namespace

void check_operands(const Instruction& instruction) {
  const auto wanted =
      wanted_operands(*instruction.op, instruction.operands.size());
  require(!wanted, "text.operand-count",
          {instruction.op->name, " has ",
           Count{std::ssize(instruction.operands), "operand"}},
          [&] { return "it must have " + *wanted; });
  for (const Instruction* operand : instruction.operands) {
    require(operand->parent == instruction.parent &&
                operand->position < instruction.position,
            "text.undefined",
            {"%", operand->name, " does not stand before its use"},
            "operands must");
  }
}

void check_attributes(const Instruction& instruction) {
  for (const auto& [name, value] : instruction.attributes) {
    const AttributeSpec* spec = find_spec(instruction.op->attributes, name);
    if (spec == nullptr) spec = find_spec(common_attributes(), name);
    require(spec != nullptr, "text.attribute-unknown",
            {instruction.op->name, " is given the attribute ", name},
            "it can take none of that name");
    require(holds(spec->kind, value), "text.attribute-unknown",
            {"the value of ", name, " is of another kind"},
            "it must be of the attribute's");
    const AttributeValue& given = value;
    require(lists(*spec, value), "text.word",
            {name, " is ", [&] { return words_of(given); }},
            [&] { return "it must be one of: " + std::string(spec->words); });
  }
  for (const AttributeSpec& spec : instruction.op->attributes) {
    require(!spec.required || instruction.find(spec.name) != nullptr,
            "text.attribute-missing",
            {instruction.op->name, " has no ", spec.name},
            "it needs this attribute");
  }
}

void check_shape(Instruction& instruction) {
  Shape inferred = instruction.op->infer(instruction);
  const bool is_derived = instruction.op->derives_shape &&
                          !compatible(inferred, instruction.shape, true);
  if (!instruction.has_shape || is_derived) {
    instruction.shape = std::move(inferred);
    instruction.has_shape = true;
    return;
  }
  if (fits(instruction, inferred)) return;
  throw Error(Phase::kVerify, "text.shape-mismatch",
              joined({"the shape is ", inferred, ", but the text says ",
                      instruction.shape}));
}

}  // namespace hlo
