#pragma once

#include <optional>
#include <string>

#include "interpreter/rules/op.h"

namespace hlo {

/// How many operands the operation takes, "1", "1 or more" or "2 to 3", where
/// it does not take so many.
std::optional<std::string> wanted_operands(const Op& op, size_t count);

}  // namespace hlo
