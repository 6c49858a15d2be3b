#pragma once

#include <string>
#include <string_view>

#include "interpreter/text/scan/lexicon.h"

namespace hlo::text {

/// What a quoted string of HLO (with quotes) stands for.
Unescaped unescape(std::string_view quoted);
/// The quoted string that unescape reads back.
std::string quote(std::string_view characters);
/// `text` with each run of white space outside of strings made one space, and
/// none behind opening and before closing brackets and commas. Comments count
/// as white space where `with_comments`.
std::string squeeze(std::string_view text, bool with_comments);

}  // namespace hlo::text
