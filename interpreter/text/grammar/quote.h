#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hlo::text {

/// The characters of a quoted string (with quotes), escapes replaced; nothing
/// where an escape is none.
std::optional<std::string> unescape(std::string_view quoted);
/// The quoted string that unescape reads back.
std::string quote(std::string_view characters);
/// `text` with each run of white space outside of strings made one space, and
/// none behind opening and before closing brackets and commas. Comments count
/// as white space where `with_comments`.
std::string squeeze(std::string_view text, bool with_comments);

}  // namespace hlo::text
