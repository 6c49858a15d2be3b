#include "backends/cpu/graph/map_nodes.h"

#include <algorithm>
#include <array>

#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

using enum ElementType;

struct MapEntry {
  std::string_view name;
  ElementType operands;
  ElementType result;
  Code code;
};

constexpr MapEntry kEntries[] = {
    {"add", kF32, kF32, Code::kAddF32},
    {"subtract", kF32, kF32, Code::kSubtractF32},
    {"multiply", kF32, kF32, Code::kMultiplyF32},
    {"divide", kF32, kF32, Code::kDivideF32},
    {"maximum", kF32, kF32, Code::kMaximumF32},
    {"minimum", kF32, kF32, Code::kMinimumF32},
    {"clamp", kF32, kF32, Code::kClampF32},
    {"negate", kF32, kF32, Code::kNegateF32},
    {"abs", kF32, kF32, Code::kAbsF32},
    {"sqrt", kF32, kF32, Code::kSqrtF32},
    {"rsqrt", kF32, kF32, Code::kRsqrtF32},
    {"exponential", kF32, kF32, Code::kExponentialF32},
    {"tanh", kF32, kF32, Code::kTanhF32},
    {"logistic", kF32, kF32, Code::kLogisticF32},
    {"floor", kF32, kF32, Code::kFloorF32},
    {"ceil", kF32, kF32, Code::kCeilF32},
    {"round-nearest-even", kF32, kF32, Code::kRoundEvenF32},
    {"convert", kF32, kS32, Code::kF32ToS32},
    {"convert", kS32, kF32, Code::kS32ToF32},
    {"convert", kPred, kF32, Code::kS32ToF32},
    {"convert", kF32, kPred, Code::kIsNotZeroF32},
    {"convert", kS32, kPred, Code::kIsNotZeroS32},
    {"add", kS32, kS32, Code::kAddS32},
    {"subtract", kS32, kS32, Code::kSubtractS32},
    {"multiply", kS32, kS32, Code::kMultiplyS32},
    {"maximum", kS32, kS32, Code::kMaximumS32},
    {"minimum", kS32, kS32, Code::kMinimumS32},
    {"negate", kS32, kS32, Code::kNegateS32},
    {"and", kS32, kS32, Code::kAnd},
    {"or", kS32, kS32, Code::kOr},
    {"xor", kS32, kS32, Code::kXor},
    {"not", kS32, kS32, Code::kNotS32},
    {"and", kPred, kPred, Code::kAnd},
    {"or", kPred, kPred, Code::kOr},
    {"xor", kPred, kPred, Code::kXor},
    {"not", kPred, kPred, Code::kNotPred},
};

struct Comparison {
  std::string_view direction;
  Code of_f32;
  Code of_s32;
  bool exchanged;
};

constexpr Comparison kComparisons[] = {
    {"EQ", Code::kEqualF32, Code::kEqualS32, false},
    {"NE", Code::kNotEqualF32, Code::kNotEqualS32, false},
    {"LT", Code::kLessF32, Code::kLessS32, false},
    {"LE", Code::kLessEqualF32, Code::kLessEqualS32, false},
    {"GT", Code::kLessF32, Code::kLessS32, true},
    {"GE", Code::kLessEqualF32, Code::kLessEqualS32, true},
};

using Types = std::vector<ElementType>;

struct Chosen {
  Code code;
  bool exchanged = false;  // the two operands
};

std::optional<Chosen> chosen_comparison(const Instruction& compare,
                                        const Types& types) {
  const auto* type = compare.find("type");
  const bool total =
      type != nullptr && std::get<Word>(*type).value == "TOTALORDER";
  const bool floats = types[0] == kF32 && types[1] == kF32;
  const bool ints =
      types[0] == types[1] && (types[0] == kS32 || types[0] == kPred);
  if (compare.shape.element_type != kPred || (!floats && !ints) ||
      (floats && total)) {
    return std::nullopt;
  }
  const std::string& direction = compare.get<Word>("direction").value;
  for (const Comparison& one : kComparisons) {
    if (one.direction != direction) continue;
    return Chosen{floats ? one.of_f32 : one.of_s32, one.exchanged};
  }
  return std::nullopt;
}

std::optional<Chosen> chosen(const Instruction& instruction,
                             const Types& types) {
  const std::string_view name = instruction.op->name;
  const ElementType result = instruction.shape.element_type;
  if (name == "compare") return chosen_comparison(instruction, types);
  if (name == "select") {
    const bool fits = types[0] == kPred && types[1] == result &&
                      types[2] == result &&
                      (result == kF32 || result == kS32 || result == kPred);
    return fits ? std::optional(Chosen{Code::kSelect}) : std::nullopt;
  }
  for (const MapEntry& entry : kEntries) {
    const auto fits = [&](ElementType type) { return type == entry.operands; };
    if (entry.name == name && entry.result == result &&
        std::ranges::all_of(types, fits)) {
      return Chosen{entry.code};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Operand> map_node(Graph& graph, const Instruction& instruction,
                                std::span<Operand* const> operands) {
  if (operands.empty() || operands.size() > 3) return std::nullopt;
  Types types;
  for (const Operand* operand : operands) {
    types.push_back(graph.values[operand->value].shape.element_type);
  }
  const std::optional<Chosen> code = chosen(instruction, types);
  if (!code) return std::nullopt;
  Node node;
  node.kind = NodeKind::kMap;
  node.instruction = &instruction;
  node.op.code = code->code;
  for (Operand* operand : operands) {
    const int64_t stride = operand->view.inner_stride();
    if (stride != 0 && stride != 1) graph.make_contiguous(*operand);
    node.operands.push_back(*operand);
    View& view = node.operands.back().view;
    // Scalars may stand for whole arrays (clamp, select).
    if (view.dims.empty()) view = view.broadcast({}, instruction.shape.dims);
  }
  if (code->exchanged) std::swap(node.operands[0], node.operands[1]);
  return graph.add_node(std::move(node), instruction.shape);
}

}  // namespace hlo::cpu
