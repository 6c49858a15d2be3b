#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "interpreter/op.h"
#include "interpreter/verify_rules.h"

namespace hlo {
namespace {

constexpr size_t kSummaryLength = 200;

/// The alternatives of AttributeValue that values of `kind` may have.
bool holds(AttributeKind kind, const AttributeValue& value) {
  const auto is = [&](auto... example) {
    return (std::holds_alternative<decltype(example)>(value) || ...);
  };
  switch (kind) {
    case AttributeKind::kBool:
      return is(bool{});
    case AttributeKind::kInt:
      return is(int64_t{});
    case AttributeKind::kString:
      return is(std::string{});
    case AttributeKind::kInts:
    case AttributeKind::kBools:
      return is(Ints{});
    case AttributeKind::kIntPairs:
      return is(IntPairs{});
    case AttributeKind::kWindow:
      return is(Window{});
    case AttributeKind::kPadding:
      return is(PaddingConfig{});
    case AttributeKind::kSlice:
      return is(SliceConfig{});
    case AttributeKind::kDimLabels:
      return is(DimLabels{});
    case AttributeKind::kReplicaGroups:
      return is(ReplicaGroups{});
    case AttributeKind::kWord:
      return is(Word{});
    case AttributeKind::kWords:
      return is(Words{});
    case AttributeKind::kDecimal:
      return is(Decimal{});
    case AttributeKind::kShape:
      return is(Shape{});
    case AttributeKind::kShapes:
      return is(Shapes{});
    case AttributeKind::kComputation:
      return std::holds_alternative<Computation*>(value);
    case AttributeKind::kComputations:
      return is(Computations{});
    case AttributeKind::kLiteral:
      return is(std::shared_ptr<const Literal>{});
    case AttributeKind::kInstructions:
      return is(std::vector<Instruction*>{});
    case AttributeKind::kJson:
      return is(std::string{}, Verbatim{});
    default:
      return is(Verbatim{});
  }
}

const AttributeSpec* find_spec(std::span<const AttributeSpec> specs,
                               std::string_view name) {
  const auto found = std::ranges::find(specs, name, &AttributeSpec::name);
  return found == specs.end() ? nullptr : &*found;
}

// The shapes of these follow from their operands, and from the data that a recv
// is given, whatever else the text says: so does XLA's parser.
constexpr std::array kDerived = std::to_array<std::string_view>(
    {"outfeed", "recv", "recv-done", "send", "send-done"});

bool compatible_but_for_precision(const Shape& a, const Shape& b) {
  const bool same_type = a.element_type == b.element_type ||
                         (is_float(a.element_type) && is_float(b.element_type));
  return same_type && a.dims == b.dims &&
         std::ranges::equal(a.tuple_shapes, b.tuple_shapes,
                            compatible_but_for_precision);
}

/// Whether the text may give another float type than the inferred one: where
/// nothing is evaluated, where elements are converted as they are moved, and
/// for folds, which round their results once more.
bool may_round(const Op& op) {
  return !op.is_evaluable() || op.movement != nullptr || op.fold != nullptr;
}

bool fits(const Instruction& instruction, const Shape& inferred) {
  return compatible(inferred, instruction.shape, true) ||
         (may_round(*instruction.op) &&
          compatible_but_for_precision(inferred, instruction.shape));
}

// A program of n instructions may copy kNodes + n * kNodesEach parts of shapes.
constexpr int64_t kNodes = 10'000'000;
constexpr int64_t kNodesEach = 1000;

int64_t count_nodes(const Shape& shape) {
  int64_t count = 1;
  for (const Shape& element : shape.tuple_shapes) count += count_nodes(element);
  return count;
}

}  // namespace

ShapeBudget::ShapeBudget(const Module& module) : left_(kNodes) {
  for (const auto& computation : module.computations) {
    left_ += std::ssize(computation->instructions) * kNodesEach;
  }
}

void ShapeBudget::begin(const Computation& computation) {
  nodes_.assign(computation.instructions.size(), 0);
}

void ShapeBudget::take(int64_t nodes) {
  left_ -= nodes;
  require(left_ >= 0, "module.shapes",
          "the tuples of a program have a bounded number of elements");
}

void ShapeBudget::take_operands(const Instruction& instruction) {
  if (instruction.op->name == "get-tuple-element") return;
  for (const Instruction* operand : instruction.operands) {
    take(nodes_[static_cast<size_t>(operand->position)]);
  }
}

void ShapeBudget::take_result(const Instruction& instruction) {
  const int64_t nodes = count_nodes(instruction.shape);
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
  if (text.size() > kSummaryLength)
    text = text.substr(0, kSummaryLength) + "...";
  return text + ")";
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

void check_operands(const Instruction& instruction) {
  const Op& op = *instruction.op;
  const auto count = static_cast<int64_t>(instruction.operands.size());
  const bool fits = count >= op.min_operands &&
                    (op.max_operands < 0 || count <= op.max_operands);
  require(fits, "text.operand-count",
          "the number of operands is the operation's");
  for (const Instruction* operand : instruction.operands) {
    require(operand->parent == instruction.parent &&
                operand->position < instruction.position,
            "text.undefined", "operands stand before their use");
  }
}

void check_attributes(const Instruction& instruction) {
  for (const auto& [name, value] : instruction.attributes) {
    const AttributeSpec* spec = find_spec(instruction.op->attributes, name);
    if (spec == nullptr) spec = find_spec(common_attributes(), name);
    require(spec != nullptr && holds(spec->kind, value),
            "text.attribute-unknown", "the operation takes the attribute");
  }
  for (const AttributeSpec& spec : instruction.op->attributes) {
    require(!spec.required || instruction.find(spec.name) != nullptr,
            "text.attribute-missing", "required attributes are given");
  }
}

void check_shape(Instruction& instruction) {
  Shape inferred = instruction.op->infer(instruction);
  const bool is_derived =
      std::ranges::binary_search(kDerived, instruction.op->name) &&
      !compatible(inferred, instruction.shape, true);
  if (!instruction.has_shape || is_derived) {
    instruction.shape = std::move(inferred);
    instruction.has_shape = true;
    return;
  }
  if (fits(instruction, inferred)) return;
  throw Error(Phase::kVerify, "text.shape-mismatch",
              "the shape is " + to_string(inferred, false) +
                  ", but the text says " + to_string(instruction.shape, false));
}

}  // namespace hlo
