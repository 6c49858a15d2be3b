#include "conformance/files/printable.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlo::conformance {
namespace {

/// Whether the bytes are a control character beyond ASCII (U+0080 to U+009F), a
/// separator of lines, a mark that turns the direction of what follows, or the
/// longer spelling of another character, a surrogate or beyond U+10FFFF.
bool is_no_letter(std::string_view bytes) {
  const std::string_view two = bytes.substr(0, 2);
  const auto in = [](std::string_view text, std::string_view first,
                     std::string_view last) {
    return text >= first && text <= last;
  };
  return in(bytes, "\xc2\x80", "\xc2\x9f") ||
         in(bytes, "\xe2\x80\xa8", "\xe2\x80\xae") ||
         in(bytes, "\xe2\x81\xa6", "\xe2\x81\xa9") ||
         in(two, "\xe0\x80", "\xe0\x9f") || in(two, "\xed\xa0", "\xed\xbf") ||
         in(two, "\xf0\x80", "\xf0\x8f") || in(two, "\xf4\x90", "\xf4\xbf");
}

/// Bytes of the first character, if it is one that may be printed; else 0.
size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) {
    return first == '\n' || (first >= 0x20 && first != 0x7f) ? 1 : 0;
  }
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  if (is_no_letter(text.substr(0, length))) return 0;
  const auto continues = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80;
  };
  return std::ranges::all_of(text.substr(1, length - 1), continues) ? length
                                                                    : 0;
}

}  // namespace

std::string printable(std::string text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = character_length(std::string_view(text).substr(i));
    if (length == 0) text[i] = '?';
    i += std::max(length, size_t{1});
  }
  return text;
}

std::string in_lines(std::string_view text) {
  std::string lines;
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines += "  | ";
  }
  const bool is_command = text.starts_with("::") || text.starts_with("##[");
  return is_command ? "| " + lines : lines;
}

std::string with_colon(std::string uri) {
  if (!uri.ends_with(':')) uri += ':';
  return uri;
}

}  // namespace hlo::conformance
