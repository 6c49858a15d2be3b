#include "interpreter/text/scan/quote.h"

#include <algorithm>

namespace hlo::text {
namespace {

constexpr std::string_view kEscapes = "n\nt\tr\ra\ab\bf\fv\v\\\\\"\"''?\?";

int octal_digit(char c) { return c >= '0' && c <= '7' ? c - '0' : -1; }

/// The number at `text[i]` in digits of `base`, at most `max_digits` of them;
/// `i` is moved behind it. -1 where there is no digit.
int escape_number(std::string_view text, size_t& i, int base, int max_digits) {
  int value = -1;
  for (int n = 0; n < max_digits && i < text.size(); ++n, ++i) {
    const int digit = base == 16 ? hex_digit(text[i]) : octal_digit(text[i]);
    if (digit < 0) break;
    value = (value < 0 ? 0 : value * base) + digit;
  }
  return value;
}

/// The character that the escape behind a backslash stands for; -1 for none.
int escape(std::string_view text, size_t& i) {
  for (size_t e = 0; e < kEscapes.size(); e += 2) {
    if (text[i] == kEscapes[e]) {
      ++i;
      return static_cast<unsigned char>(kEscapes[e + 1]);
    }
  }
  if (text[i] == 'x' || text[i] == 'X') {
    ++i;
    return escape_number(text, i, /*base=*/16, /*max_digits=*/2);
  }
  return escape_number(text, i, /*base=*/8, /*max_digits=*/3);
}

size_t white_end(std::string_view text, size_t from) {
  while (from < text.size() && is_space(text[from])) ++from;
  return from;
}

/// The end of white space and (closed) comments.
size_t space_end(std::string_view text, size_t from) {
  for (size_t i = white_end(text, from);; i = white_end(text, i)) {
    const std::string_view start = text.substr(i, 2);
    if (start != "//" && start != "/*") return i;
    i = start == "//" ? text.find_first_of("\r\n", i)
                      : text.find("*/", i + 2) + 2;
    i = std::min(i, text.size());
  }
}

size_t quoted_end(std::string_view text, size_t from) {
  size_t i = from + 1;
  while (i < text.size() && text[i] != text[from]) {
    i += text[i] == '\\' ? 2 : 1;
  }
  return std::min(i + 1, text.size());
}

bool is_opening(char c) { return c == '{' || c == '(' || c == '['; }

bool is_closing(char c) { return c == '}' || c == ')' || c == ']' || c == ','; }

}  // namespace

Unescaped unescape(std::string_view quoted) {
  Unescaped result;
  const std::string_view text = quoted.substr(0, quoted.size() - 1);
  for (size_t i = 1; i < text.size();) {
    if (text[i] != '\\') {
      result.text += text[i++];
      continue;
    }
    const size_t start = ++i;
    const int character = i < text.size() ? escape(text, i) : -1;
    if (character < 0 || character > 0xff) return {.text = {}, .wrong = start};
    result.text += static_cast<char>(character);
  }
  return result;
}

std::string quote(std::string_view characters) {
  std::string text = "\"";
  for (const char c : characters) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\r') {
      text += "\\r";
    } else if (c == '"' || c == '\\' || c == '\'') {
      text.append("\\").push_back(c);
    } else if (code < 0x20 || code >= 0x7f) {
      text += '\\';
      for (int shift = 6; shift >= 0; shift -= 3) {
        text += static_cast<char>('0' + ((code >> shift) & 7));
      }
    } else {
      text += c;
    }
  }
  return text + '"';
}

std::string squeeze(std::string_view text, bool with_comments) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t space =
        with_comments ? space_end(text, i) : white_end(text, i);
    if (space > i) {
      i = space;
      const bool needed = !result.empty() && !is_opening(result.back()) &&
                          i < text.size() && !is_closing(text[i]);
      if (needed) result += ' ';
    } else if (text[i] == '"' || (text[i] == '\'' && with_comments)) {
      const size_t end = quoted_end(text, i);
      result.append(text.substr(i, end - i));
      i = end;
    } else {
      result += text[i++];
    }
  }
  return result;
}

}  // namespace hlo::text
