#include "interpreter/rules/op.h"

#include <algorithm>

#include "interpreter/error.h"

namespace hlo {

const Op* find_op(std::string_view name) {
  const auto ops = all_ops();
  const auto found = std::ranges::lower_bound(
      ops, name, {}, [](const Op* op) { return op->name; });
  return found != ops.end() && (*found)->name == name ? *found : nullptr;
}

std::span<const AttributeSpec> common_attributes() {
  using enum AttributeKind;
  static constexpr AttributeSpec kCommon[] = {
      {"sharding", kSharding},
      {"frontend_attributes", kDictionary},
      {"control-predecessors", kInstructions},
      {"metadata", kMetadata},
      {"backend_config", kJson},
      {"origin", kBraces},
      {"statistics", kBraces},
      {"parameter_replication", kBools},
      {"original_value", kBraces},
  };
  return kCommon;
}

const Shape& given_shape(const Instruction& instruction) {
  require(instruction.has_shape, "text.shape-needed",
          {"the result of ", instruction.op->name,
           " does not follow from its operands"},
          "the text must give its shape");
  return instruction.shape;
}

}  // namespace hlo
