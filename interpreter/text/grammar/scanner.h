#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/error.h"

namespace hlo::text {

/// Whether `c` may stand in a name after its first character.
bool is_name_character(char c);
bool is_digit(char c);

/// Reads HLO text from left to right (spec/text.md, Lexical rules). Between
/// two calls it stands at the first character of a token: white space and
/// comments behind a token are skipped together with it.
class Lexer {
 public:
  explicit Lexer(std::string_view source);

  bool at_end() const { return position_ == source_.size(); }

  /// The character it stands at; 0 at the end.
  char peek() const { return at_end() ? '\0' : source_[position_]; }

  /// The character behind `length` ones and white space; 0 at the end.
  char peek_behind(size_t length = 1) const;

  size_t position() const { return position_; }

  /// Goes to the token that starts at `position`.
  void seek(size_t position) { position_ = position; }

  std::string_view rest() const { return source_.substr(position_); }

  /// Passes `length` characters that the caller has read.
  void advance(size_t length);

  bool eat(char symbol);
  bool eat(std::string_view symbol);
  bool eat_word(std::string_view word);
  void expect(char symbol, std::string_view where);
  void expect(std::string_view symbol, std::string_view where);

  /// The name at this place, or nothing if there is none.
  std::string_view peek_word() const;
  /// A name; `what` says in errors what it is for.
  std::string_view word(std::string_view what);
  /// A name with or without a leading %.
  std::string_view name(std::string_view what);
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

  /// Takes memory that the text asks for with few characters (splats, device
  /// lists in short form) out of what one text may take.
  void spend(int64_t bytes);

  /// Line and column of a position.
  Location location(size_t position) const;

  Location location() const { return location(position_); }

  [[noreturn]] void fail(std::string_view rule, std::string_view message) const;
  [[noreturn]] void fail_at(size_t position, std::string_view rule,
                            std::string_view message) const;
  /// Fails with "expected `what`, found ...".
  [[noreturn]] void expected(std::string_view what,
                             std::string_view rule = "text.syntax") const;

 private:
  friend class Nesting;

  void skip_space();
  size_t skip_comment(size_t from) const;
  size_t string_end(size_t from) const;
  std::string found() const;

  std::string_view source_;
  size_t position_ = 0;
  int depth_ = 0;
  int64_t budget_ = int64_t{1} << 28;
  // The line that location() found last; it mostly asks in ascending order.
  mutable size_t line_start_ = 0;
  mutable int line_ = 1;
};

/// One level of a recursive rule: limits the depth of the text.
class Nesting {
 public:
  static constexpr int kMaxDepth = 200;

  explicit Nesting(Lexer& in);

  ~Nesting() { --in_.depth_; }

  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Lexer& in_;
};

}  // namespace hlo::text
