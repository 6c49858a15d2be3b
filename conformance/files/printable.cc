#include "conformance/files/printable.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlo::conformance {
namespace {

/// Bytes of the first character, if it is one that may be printed; else 0.
size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) {
    return first == '\n' || (first >= 0x20 && first != 0x7f) ? 1 : 0;
  }
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
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

std::string with_colon(std::string uri) {
  if (!uri.ends_with(':')) uri += ':';
  return uri;
}

}  // namespace hlo::conformance
