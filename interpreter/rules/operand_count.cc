#include "interpreter/rules/operand_count.h"

namespace hlo {

std::optional<std::string> wanted_operands(const Op& op, size_t count) {
  const auto own = static_cast<int64_t>(count);
  const bool is_open = op.max_operands < 0;
  if (own >= op.min_operands && (is_open || own <= op.max_operands)) {
    return std::nullopt;
  }
  const std::string least = std::to_string(op.min_operands);
  if (is_open) return least + " or more";
  if (op.min_operands == op.max_operands) return least;
  return least + " to " + std::to_string(op.max_operands);
}

}  // namespace hlo
