#pragma once

#include <string_view>

namespace hlo::conformance {

/// Whether the glob matches the whole text: * is any text and ? any character.
bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace hlo::conformance
