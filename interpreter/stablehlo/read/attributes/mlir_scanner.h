#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.h"

namespace hlo::stablehlo {

/// Reads MLIR text from left to right (spec/stablehlo.md, Lexical rules).
/// Between two calls it stands at the first character of a token: white space
/// and comments behind a token are skipped together with it.
class Scanner {
 public:
  explicit Scanner(std::string_view source);

  /// Restricts it to the characters [begin, end) and goes to the first token;
  /// places are still those of the whole text.
  void enter(size_t begin, size_t end);

  bool at_end() const { return position_ == end_; }

  /// The character it stands at; 0 at the end.
  char peek() const { return peek(0); }

  /// The character `ahead` of it; 0 behind the end.
  char peek(size_t ahead) const {
    return ahead < end_ - position_ ? source_[position_ + ahead] : '\0';
  }

  std::string_view rest() const {
    return source_.substr(position_, end_ - position_);
  }

  size_t position() const { return position_; }

  size_t end() const { return end_; }

  /// Goes to the token that starts at `position`.
  void seek(size_t position) { position_ = position; }

  /// Passes `length` characters that the caller has read.
  void advance(size_t length);

  /// The same, without skipping the white space behind them.
  void advance_within(size_t length) { position_ += length; }

  bool eat(char symbol);
  bool eat(std::string_view symbol);
  bool eat_word(std::string_view word);
  void expect(char symbol, std::string_view where);
  void expect(std::string_view symbol, std::string_view where);

  /// The name at this place (letters, digits, `_ $ .`), empty for none.
  std::string_view peek_word() const;
  std::string_view word(std::string_view what);
  /// The name behind % # ! or ^, which it stands at: digits or a name that
  /// may have `-` too.
  std::string_view suffix(std::string_view what);
  /// A quoted string: the characters that it stands for, or as it is written.
  std::string string();
  std::string_view raw_string();
  int64_t integer(std::string_view what);
  /// From an opening bracket to its counterpart, both included; brackets of
  /// all kinds inside must match, strings are passed over.
  std::string_view balanced();

  /// Takes memory that the text asks for with few characters (splats, aliases)
  /// out of what one text may take.
  void spend(int64_t bytes);

  Location location(size_t position) const;

  Location location() const { return location(position_); }

  [[noreturn]] void fail(std::string_view rule, std::string_view message) const;
  [[noreturn]] void fail_at(size_t position, std::string_view rule,
                            std::string_view message) const;
  /// Fails with "expected `what`, found ...".
  [[noreturn]] void expected(std::string_view what,
                             std::string_view rule = "stablehlo.syntax") const;

 private:
  friend class Nesting;

  void skip_space();
  size_t string_end(size_t from) const;
  size_t balanced_end() const;
  std::string found() const;

  std::string_view source_;
  size_t position_ = 0;
  size_t end_ = 0;
  int depth_ = 0;
  int64_t budget_ = int64_t{1} << 28;
  std::vector<size_t> line_starts_;
  mutable size_t last_line_ = 0;  // of the last location()
};

/// One level of a recursive rule: limits the depth of the text.
class Nesting {
 public:
  static constexpr int kMaxDepth = 200;

  explicit Nesting(Scanner& in);

  ~Nesting() { --in_.depth_; }

  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Scanner& in_;
};

/// Items with commas between them, up to and with `close`: calls `item` for
/// each. The opening bracket has been read.
template <typename Item>
void read_items(Scanner& in, char close, const Item& item) {
  if (in.eat(close)) return;
  do {
    item();
  } while (in.eat(','));
  in.expect(close, "behind a list");
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Whether `c` may stand in a name after its first character.
inline bool is_name_character(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '$';
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
inline int hex_digit(char c) {
  return kHexDigits[static_cast<unsigned char>(c)];
}

}  // namespace hlo::stablehlo
