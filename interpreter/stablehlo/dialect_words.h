#pragma once

#include <string_view>

namespace hlo::stablehlo {

/// The list that a word of the attribute is of: "comparison_type" for
/// compare_type, as in #stablehlo<comparison_type FLOAT>.
std::string_view word_kind(std::string_view attribute);

/// Whether #stablehlo.KIND<...> has the field; any, where the kind is not known
/// here.
bool may_have_field(std::string_view kind, std::string_view field);

}  // namespace hlo::stablehlo
