#pragma once

#include <string>
#include <string_view>

namespace hlo::process {

/// The text as one word of a shell, whatever characters it has.
std::string shell_word(std::string_view text);

}  // namespace hlo::process
