#include "interpreter/stablehlo/read/attributes/mlir_scanner.h"

#include <algorithm>
#include <charconv>

namespace hlo::stablehlo {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' ||
         c == '\v';
}

std::vector<size_t> find_lines(std::string_view source) {
  std::vector<size_t> starts = {0};
  for (size_t i = source.find('\n'); i != std::string_view::npos;
       i = source.find('\n', i + 1)) {
    starts.push_back(i + 1);
  }
  return starts;
}

char counterpart(char open) {
  switch (open) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    case '<':
      return '>';
    default:
      return '\0';
  }
}

bool is_closing(char c) { return c == ')' || c == ']' || c == '}' || c == '>'; }

/// The character of the escape at `text[i]`, behind the backslash; `i` goes to
/// its last character. -1 where it is none.
int escaped(std::string_view text, size_t& i) {
  if (i >= text.size()) return -1;
  if (text[i] == 'n') return '\n';
  if (text[i] == 't') return '\t';
  if (text[i] == '"' || text[i] == '\\') return text[i];
  const int high = hex_digit(text[i]);
  const int low = ++i < text.size() ? hex_digit(text[i]) : -1;
  return high < 0 || low < 0 ? -1 : 16 * high + low;
}

}  // namespace

Nesting::Nesting(Scanner& in) : in_(in) {
  if (in_.depth_ >= kMaxDepth) {
    in_.fail("stablehlo.depth", "the text is nested more than " +
                                    std::to_string(kMaxDepth) + " levels deep");
  }
  ++in_.depth_;
}

Scanner::Scanner(std::string_view source)
    : source_(source), end_(source.size()), line_starts_(find_lines(source)) {
  skip_space();
}

void Scanner::enter(size_t begin, size_t end) {
  position_ = begin;
  end_ = end;
  skip_space();
}

void Scanner::skip_space() {
  while (position_ < end_) {
    if (is_space(source_[position_])) {
      ++position_;
    } else if (source_[position_] == '/' && peek(1) == '/') {
      position_ = std::min(source_.find('\n', position_), end_);
    } else {
      return;
    }
  }
}

void Scanner::advance(size_t length) {
  position_ += length;
  skip_space();
}

bool Scanner::eat(char symbol) {
  if (peek() != symbol || at_end()) return false;
  advance(1);
  return true;
}

bool Scanner::eat(std::string_view symbol) {
  if (!rest().starts_with(symbol)) return false;
  advance(symbol.size());
  return true;
}

bool Scanner::eat_word(std::string_view word) {
  if (peek_word() != word) return false;
  advance(word.size());
  return true;
}

void Scanner::expect(char symbol, std::string_view where) {
  expect(std::string_view(&symbol, 1), where);
}

void Scanner::expect(std::string_view symbol, std::string_view where) {
  if (eat(symbol)) return;
  expected("'" + std::string(symbol) + "' " + std::string(where));
}

std::string_view Scanner::peek_word() const {
  if (!is_letter(peek())) return {};
  size_t length = 1;
  while (is_name_character(peek(length))) ++length;
  return source_.substr(position_, length);
}

std::string_view Scanner::word(std::string_view what) {
  const std::string_view word = peek_word();
  if (word.empty()) expected(what);
  advance(word.size());
  return word;
}

std::string_view Scanner::suffix(std::string_view what) {
  size_t length = 1;
  if (is_digit(peek(1))) {
    while (is_digit(peek(length))) ++length;
  } else if (is_letter(peek(1)) || peek(1) == '$' || peek(1) == '.' ||
             peek(1) == '-') {
    while (is_name_character(peek(length)) ||
           (peek(length) == '-' && peek(length + 1) != '>')) {
      ++length;
    }
  }
  if (length == 1) expected(what);
  const std::string_view name = source_.substr(position_ + 1, length - 1);
  advance(length);
  return name;
}

size_t Scanner::string_end(size_t from) const {
  const std::string_view text = source_.substr(0, end_);
  const size_t quote = text.find('"', from + 1);
  const std::string_view inside = text.substr(from + 1, quote - from - 1);
  // Blobs are long and have no escapes: each of these passes is a quick one.
  const bool is_plain = quote != std::string_view::npos &&
                        inside.find('\\') == std::string_view::npos &&
                        inside.find('\n') == std::string_view::npos;
  if (is_plain) return quote + 1;
  for (size_t i = from + 1; i < end_ && text[i] != '\n'; ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  fail_at(from, "stablehlo.string", "the string is not closed in its line");
}

std::string_view Scanner::raw_string() {
  if (peek() != '"') expected("a quoted string");
  const size_t end = string_end(position_);
  const std::string_view text = source_.substr(position_, end - position_);
  advance(text.size());
  return text;
}

std::string Scanner::string() {
  const size_t start = position_;
  const std::string_view quoted = raw_string();
  std::string result;
  for (size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] != '\\') {
      result += quoted[i];
      continue;
    }
    const int character = escaped(quoted, ++i);
    if (character < 0) {
      fail_at(start + i, "stablehlo.string",
              R"(an escape is \n, \t, \\, \" or two hexadecimal digits)");
    }
    result += static_cast<char>(character);
  }
  return result;
}

int64_t Scanner::integer(std::string_view what) {
  int64_t value = 0;
  const char* const begin = source_.data() + position_;
  const char* const end = source_.data() + end_;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    fail("stablehlo.range", "the integer does not fit into 64 bits");
  }
  if (error != std::errc()) expected(what);
  advance(static_cast<size_t>(stop - begin));
  return value;
}

size_t Scanner::balanced_end() const {
  std::string open;
  for (size_t i = position_; i < end_; ++i) {
    const char c = source_[i];
    if (c == '"') {
      i = string_end(i) - 1;
    } else if (counterpart(c) != '\0') {
      open += counterpart(c);
    } else if (is_closing(c) && !(c == '>' && source_[i - 1] == '-')) {
      if (c != open.back()) {
        fail_at(
            i, "stablehlo.syntax",
            std::string("expected '") + open.back() + "' before '" + c + "'");
      }
      open.pop_back();
      if (open.empty()) return i + 1;
    }
  }
  fail("stablehlo.syntax", "the bracket is not closed");
}

std::string_view Scanner::balanced() {
  if (counterpart(peek()) == '\0') expected("a bracket");
  const std::string_view text =
      source_.substr(position_, balanced_end() - position_);
  advance(text.size());
  return text;
}

void Scanner::spend(int64_t bytes) {
  if (bytes > budget_) {
    fail("stablehlo.size",
         "what the text writes in short form takes at most 256 MiB");
  }
  budget_ -= bytes;
}

Location Scanner::location(size_t position) const {
  const auto is_behind = [&](size_t line) {
    return line < line_starts_.size() && line_starts_[line] <= position;
  };
  const bool is_near = is_behind(last_line_) && !is_behind(last_line_ + 2);
  if (!is_near) {
    const auto next = std::ranges::upper_bound(line_starts_, position);
    last_line_ = static_cast<size_t>(next - line_starts_.begin()) - 1;
  } else if (is_behind(last_line_ + 1)) {
    ++last_line_;
  }
  return {static_cast<int>(last_line_) + 1,
          static_cast<int>(position - line_starts_[last_line_]) + 1};
}

void Scanner::fail(std::string_view rule, std::string_view message) const {
  fail_at(position_, rule, message);
}

void Scanner::fail_at(size_t position, std::string_view rule,
                      std::string_view message) const {
  throw Error(Phase::kParse, rule, message, location(position));
}

void Scanner::expected(std::string_view what, std::string_view rule) const {
  fail(rule, "expected " + std::string(what) + ", found " + found());
}

std::string Scanner::found() const {
  if (at_end()) return "the end of the program";
  constexpr size_t kMaxLength = 40;
  size_t length = 1;
  while (length < kMaxLength && is_name_character(peek(length))) ++length;
  const bool is_run = is_name_character(peek()) || peek() == '%' ||
                      peek() == '@' || peek() == '#' || peek() == '!';
  return "'" + std::string(rest().substr(0, is_run ? length : 1)) + "'";
}

}  // namespace hlo::stablehlo
