#include "interpreter/rules/known_reducer.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "interpreter/rules/op.h"

namespace hlo {
namespace {

struct Known {
  std::string_view op;
  Reducer reducer;
};

constexpr std::array<Known, 7> kKnown = {{{"add", Reducer::kAdd},
                                          {"multiply", Reducer::kMultiply},
                                          {"maximum", Reducer::kMaximum},
                                          {"minimum", Reducer::kMinimum},
                                          {"and", Reducer::kAnd},
                                          {"or", Reducer::kOr},
                                          {"xor", Reducer::kXor}}};

/// Whether the instruction's operands are both parameters, each once.
bool joins_parameters(const Instruction& instruction) {
  if (instruction.operands.size() != 2) return false;
  const auto a = instruction.operands[0]->parameter_number;
  const auto b = instruction.operands[1]->parameter_number;
  return std::min(a, b) == 0 && std::max(a, b) == 1;
}

/// The computation that a call or fusion of both parameters runs.
const Computation* wrapped(const Instruction& root) {
  if (root.op->name == "call") return root.get<Computation*>("to_apply");
  if (root.op->name == "fusion") return root.get<Computation*>("calls");
  return nullptr;
}

}  // namespace

Reducer recognize(const Computation& reducer) {
  if (reducer.parameters.size() != 2) return Reducer::kOther;
  const Instruction& root = *reducer.root;
  const ElementType type = root.shape.element_type;
  if (!root.shape.is_scalar() || !joins_parameters(root) ||
      reducer.parameters[0]->shape.element_type != type ||
      reducer.parameters[1]->shape.element_type != type) {
    return Reducer::kOther;
  }
  if (const Computation* inner = wrapped(root)) return recognize(*inner);
  const auto* const found =
      std::ranges::find(kKnown, root.op->name, &Known::op);
  return found == kKnown.end() ? Reducer::kOther : found->reducer;
}

}  // namespace hlo
