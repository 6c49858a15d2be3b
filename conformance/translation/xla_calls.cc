#include "conformance/translation/xla_calls.h"

#include <optional>
#include <string>

#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

bool is_top_k(const Instruction& instruction) {
  const AttributeValue* target = instruction.find("custom_call_target");
  return target != nullptr && std::holds_alternative<std::string>(*target) &&
         std::get<std::string>(*target) == "TopK" &&
         instruction.operands.size() == 1;
}

/// Whether the comparison is true where its first argument is the larger one;
/// nothing where its last step does not say.
std::optional<bool> puts_largest_first(const Instruction& call) {
  const AttributeValue* called = call.find("called_computations");
  const auto* list =
      called == nullptr ? nullptr : std::get_if<Computations>(called);
  if (list == nullptr || list->size() != 1) return {};
  const auto direction = list->front()->root->get_or("direction", Word{});
  if (direction.value == "GT") return true;
  if (direction.value == "LT") return false;
  return {};
}

/// What is not of the operation's form stays a custom-call, which is not
/// judged.
void resolve_top_k(Instruction& call) {
  const std::optional<bool> largest = puts_largest_first(call);
  const Shape& result = call.shape;
  const bool is_pair = result.is_tuple() && result.tuple_shapes.size() == 2 &&
                       result.tuple_shapes[0].is_array() &&
                       result.tuple_shapes[0].rank() > 0;
  if (!largest || !is_pair) return;
  Instruction resolved = call;
  resolved.op = find_op("topk");
  resolved.attributes = {{"k", result.tuple_shapes[0].dims.back()},
                         {"largest", *largest}};
  if (const AttributeValue* metadata = call.find("metadata")) {
    resolved.attributes.push_back({"metadata", *metadata});
  }
  try {
    if (!compatible(resolved.op->infer(resolved), result)) return;
  } catch (const Error&) {
    return;
  }
  call = std::move(resolved);
}

}  // namespace

void resolve_xla_calls(Module& module) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (is_top_k(*instruction)) resolve_top_k(*instruction);
    }
  }
}

}  // namespace hlo::conformance
