#pragma once

#include <string_view>

#include "interpreter/rules/op.h"

namespace hlo {

/// The operation of custom-calls whose target is a function: it has
/// custom-call's name and attributes, and a value rule of its own. Null where
/// no function is known by that name (spec/ops/custom_call.md, Functions).
const Op* find_target(std::string_view target);
/// Gives a custom-call whose target is a function that function's operation.
/// Its attributes have been checked.
void choose_target(Instruction& instruction);
/// What levels of accuracy call the operation: by the name of the function
/// where it is a target's, else by its own.
std::string_view function_name(const Op& op);

}  // namespace hlo
