#pragma once

#include <span>
#include <string_view>

#include "interpreter/rules/op.h"

namespace hlo::text {

/// The attribute of that name among `specs`, or null.
const AttributeSpec* find_spec(std::span<const AttributeSpec> specs,
                               std::string_view name);
/// Puts the attributes into the printer's order: the operation's, then the
/// common ones.
void sort_attributes(const Op& op, Attributes& attributes);

}  // namespace hlo::text
