#pragma once

#include <string_view>

#include "interpreter/rules/op.h"

namespace hlo::text {

/// The operation whose async sugar `opcode` is ("add-start"), null if none;
/// `stage` becomes "start", "update" or "done".
const Op* find_sugared_op(std::string_view opcode, std::string_view& stage);

}  // namespace hlo::text
