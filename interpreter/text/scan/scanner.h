#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/text/scan/lexicon.h"

namespace hlo::text {

/// Reads text from left to right, by the tokens of a lexicon. Between two calls
/// it stands at the first character of a token: white space and comments behind
/// a token are skipped together with it.
class Scanner {
 public:
  /// The lexicon must live as long as the scanner does.
  Scanner(std::string_view source, const Lexicon& lexicon);

  /// Restricts it to the characters [begin, end) and goes to the first token;
  /// places are still those of the whole text.
  void enter(size_t begin, size_t end);

  bool at_end() const { return position_ == end_; }

  /// The character it stands at; 0 at the end.
  char peek() const { return at_end() ? '\0' : source_[position_]; }

  /// The character `ahead` of it; 0 behind the end.
  char peek(size_t ahead) const {
    return ahead < end_ - position_ ? source_[position_ + ahead] : '\0';
  }

  /// The character behind `length` ones and white space; 0 at the end.
  char peek_behind(size_t length = 1) const;

  std::string_view rest() const {
    return source_.substr(position_, end_ - position_);
  }

  size_t position() const { return position_; }

  size_t end() const { return end_; }

  /// Goes to the token that starts at `position`.
  void seek(size_t position) { position_ = position; }

  /// Passes `length` characters that the caller has read.
  void advance(size_t length);

  /// Passes `length` characters, without the white space behind them.
  void advance_within(size_t length) { position_ += length; }

  bool eat(char symbol);
  bool eat(std::string_view symbol);
  bool eat_word(std::string_view word);
  void expect(char symbol, std::string_view where);
  void expect(std::string_view symbol, std::string_view where);

  /// The name at this place, empty where there is none.
  std::string_view peek_word() const;
  /// A name; `what` says in errors what it is for.
  std::string_view word(std::string_view what);
  /// A name with or without a leading %.
  std::string_view name(std::string_view what);
  /// The name behind the sigil that it stands at: digits, or a name that may
  /// have `-` too.
  std::string_view suffix(std::string_view what);
  int64_t integer(std::string_view what);
  /// An integer that is not negative.
  int64_t natural(std::string_view what);
  bool boolean();
  /// All characters up to the first that is not one of `allowed`.
  std::string_view run(std::string_view allowed);
  /// A quoted string with its quotes, escapes as they are.
  std::string_view raw_string();
  /// The characters that a quoted string stands for.
  std::string string();
  /// From an opening brace to its counterpart, both included. Outside of
  /// strings, which ' opens too where there are comments.
  std::string_view braces(bool with_comments);
  /// From an opening bracket to its counterpart, both included; brackets of
  /// all kinds inside must match, strings are passed over.
  std::string_view balanced();

  /// Takes memory that the text asks for with few characters (splats, aliases,
  /// device lists in short form) out of what one text may take.
  void spend(int64_t bytes);

  /// Line and column of a position.
  Location location(size_t position) const;

  Location location() const { return location(position_); }

  [[noreturn]] void fail(std::string_view rule, std::string_view message) const;
  [[noreturn]] void fail_at(size_t position, std::string_view rule,
                            std::string_view message) const;
  /// Fails with "expected `what`, found ..."; by default by the lexicon's
  /// label of syntax.
  [[noreturn]] void expected(std::string_view what,
                             std::string_view rule = {}) const;

 private:
  friend class Nesting;

  bool in_name(char c) const {
    return lexicon_.name[static_cast<unsigned char>(c)];
  }

  void skip_space();
  size_t skip_comment(size_t from) const;
  size_t string_end(size_t from) const;
  size_t balanced_end() const;
  std::string found() const;

  const Lexicon& lexicon_;
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

}  // namespace hlo::text
