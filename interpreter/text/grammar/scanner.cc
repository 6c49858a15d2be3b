#include "interpreter/text/grammar/scanner.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "interpreter/text/grammar/quote.h"

namespace hlo::text {
namespace {

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' ||
         c == '\v';
}

constexpr std::array<bool, 256> kNameCharacters = [] {
  std::array<bool, 256> table{};
  for (size_t i = 0; i < table.size(); ++i) {
    const char c = static_cast<char>(i);
    table[i] = is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
               c == '+';  // XLA prints names such as m_1e+30
  }
  return table;
}();

bool is_quote(char c) { return c == '"' || c == '\''; }

}  // namespace

bool is_name_character(char c) {
  return kNameCharacters[static_cast<unsigned char>(c)];
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Nesting::Nesting(Lexer& in) : in_(in) {
  if (in_.depth_ >= kMaxDepth) {
    in_.fail("text.depth", "the text is nested more than " +
                               std::to_string(kMaxDepth) + " levels deep");
  }
  ++in_.depth_;
}

Lexer::Lexer(std::string_view source) : source_(source) { skip_space(); }

size_t Lexer::skip_comment(size_t from) const {
  const std::string_view start = source_.substr(from, 2);
  if (start == "//") {
    return std::min(source_.find_first_of("\r\n", from), source_.size());
  }
  if (start != "/*") return from;
  const size_t end = source_.find("*/", from + 2);
  if (end == std::string_view::npos) {
    fail_at(from, "text.comment", "the comment is not closed with */");
  }
  return end + 2;
}

void Lexer::skip_space() {
  while (position_ < source_.size()) {
    const char c = source_[position_];
    if (is_space(c)) {
      ++position_;
    } else if (c == '/') {
      const size_t end = skip_comment(position_);
      if (end == position_) return;
      position_ = end;
    } else {
      return;
    }
  }
}

void Lexer::advance(size_t length) {
  position_ += length;
  skip_space();
}

char Lexer::peek_behind(size_t length) const {
  size_t position = position_ + length;
  while (position < source_.size() && is_space(source_[position])) ++position;
  return position < source_.size() ? source_[position] : '\0';
}

bool Lexer::eat(char symbol) {
  if (at_end() || source_[position_] != symbol) return false;
  advance(1);
  return true;
}

bool Lexer::eat(std::string_view symbol) {
  if (!rest().starts_with(symbol)) return false;
  advance(symbol.size());
  return true;
}

bool Lexer::eat_word(std::string_view word) {
  if (peek_word() != word) return false;
  advance(word.size());
  return true;
}

void Lexer::expect(char symbol, std::string_view where) {
  expect(std::string_view(&symbol, 1), where);
}

void Lexer::expect(std::string_view symbol, std::string_view where) {
  if (eat(symbol)) return;
  expected("'" + std::string(symbol) + "' " + std::string(where));
}

std::string_view Lexer::peek_word() const {
  if (!is_letter(peek())) return {};
  size_t end = position_ + 1;
  while (end < source_.size() && is_name_character(source_[end]) &&
         source_.substr(end, 2) != "->") {
    ++end;
  }
  return source_.substr(position_, end - position_);
}

std::string_view Lexer::word(std::string_view what) {
  const std::string_view word = peek_word();
  if (word.empty()) expected(what);
  advance(word.size());
  return word;
}

std::string_view Lexer::name(std::string_view what) {
  if (peek() == '%') {
    ++position_;
    if (!is_letter(peek())) expected("a name behind '%'", "text.name");
  }
  return word(what);
}

int64_t Lexer::integer(std::string_view what) {
  int64_t value = 0;
  const char* begin = source_.data() + position_;
  const char* end = source_.data() + source_.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    fail("text.range", "the integer does not fit into 64 bits");
  }
  if (error != std::errc()) expected(what);
  advance(static_cast<size_t>(stop - begin));
  return value;
}

int64_t Lexer::natural(std::string_view what) {
  if (peek() == '-') expected(what);
  return integer(what);
}

bool Lexer::boolean() {
  if (eat_word("true")) return true;
  if (eat_word("false")) return false;
  expected("true or false");
}

std::string_view Lexer::run(std::string_view allowed) {
  const size_t end =
      std::min(source_.find_first_not_of(allowed, position_), source_.size());
  const std::string_view text = source_.substr(position_, end - position_);
  advance(text.size());
  return text;
}

size_t Lexer::string_end(size_t from) const {
  const char quote = source_[from];
  for (size_t i = from + 1; i < source_.size(); ++i) {
    if (source_[i] == '\\') {
      ++i;
    } else if (source_[i] == quote) {
      return i + 1;
    }
  }
  fail_at(from, "text.string", "the string is not closed");
}

std::string_view Lexer::raw_string() {
  if (!is_quote(peek())) expected("a quoted string");
  const size_t end = string_end(position_);
  const std::string_view text = source_.substr(position_, end - position_);
  advance(text.size());
  return text;
}

std::string Lexer::string() {
  const size_t start = position_;
  const std::optional<std::string> text = unescape(raw_string());
  if (text) return *text;
  fail_at(start, "text.string", "the string has an escape that is none");
}

std::string_view Lexer::braces(bool with_comments) {
  const size_t start = position_;
  int depth = 0;
  for (size_t i = start; i < source_.size(); ++i) {
    const char c = source_[i];
    if (c == '{') {
      ++depth;
    } else if (c == '}') {
      --depth;
    } else if (c == '"' || (c == '\'' && with_comments)) {
      i = string_end(i) - 1;
    } else if (c == '/' && with_comments) {
      i = std::max(skip_comment(i), i + 1) - 1;
    }
    if (depth <= 0) {
      if (c != '}') expected("'{'");
      advance(i + 1 - start);
      return source_.substr(start, i + 1 - start);
    }
  }
  fail_at(start, "text.braces", "the braces are not closed");
}

void Lexer::spend(int64_t bytes) {
  if (bytes > budget_) {
    fail("literal.size",
         "values that the text writes in short form take at most 256 MiB");
  }
  budget_ -= bytes;
}

Location Lexer::location(size_t position) const {
  if (position < line_start_) {
    line_start_ = 0;
    line_ = 1;
  }
  size_t newline = source_.find('\n', line_start_);
  while (newline < position) {
    line_start_ = newline + 1;
    ++line_;
    newline = source_.find('\n', line_start_);
  }
  return {line_, static_cast<int>(position - line_start_) + 1};
}

void Lexer::fail(std::string_view rule, std::string_view message) const {
  fail_at(position_, rule, message);
}

void Lexer::fail_at(size_t position, std::string_view rule,
                    std::string_view message) const {
  throw Error(Phase::kParse, rule, message, location(position));
}

void Lexer::expected(std::string_view what, std::string_view rule) const {
  fail(rule, "expected " + std::string(what) + ", found " + found());
}

std::string Lexer::found() const {
  if (at_end()) return "the end of the text";
  size_t end = position_ + 1;
  if (is_name_character(peek()) || peek() == '%') {
    while (end < source_.size() && is_name_character(source_[end])) ++end;
  }
  constexpr size_t kMaxLength = 40;
  const size_t length = std::min(end - position_, kMaxLength);
  return "'" + std::string(source_.substr(position_, length)) + "'";
}

}  // namespace hlo::text
