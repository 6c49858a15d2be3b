#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// Classes of characters that the grammars of all texts share.
namespace hlo::text {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' ||
         c == '\v';
}

inline constexpr std::array<int8_t, 256> kHexDigits = [] {
  std::array<int8_t, 256> table{};
  for (int8_t& digit : table) digit = -1;
  for (int8_t d = 0; d < 10; ++d) table[static_cast<size_t>('0' + d)] = d;
  for (int8_t d = 0; d < 6; ++d) {
    table[static_cast<size_t>('a' + d)] = static_cast<int8_t>(10 + d);
    table[static_cast<size_t>('A' + d)] = static_cast<int8_t>(10 + d);
  }
  return table;
}();

/// The value of a hexadecimal digit; -1 for other characters.
constexpr int hex_digit(char c) {
  return kHexDigits[static_cast<unsigned char>(c)];
}

using CharacterSet = std::array<bool, 256>;

/// Letters, digits and `more`.
constexpr CharacterSet letters_digits_and(std::string_view more) {
  CharacterSet set{};
  for (size_t i = 0; i < set.size(); ++i) {
    const char c = static_cast<char>(i);
    set[i] =
        is_letter(c) || is_digit(c) || more.find(c) != std::string_view::npos;
  }
  return set;
}

}  // namespace hlo::text
