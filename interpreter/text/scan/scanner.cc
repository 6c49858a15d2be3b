#include "interpreter/text/scan/scanner.h"

#include <algorithm>
#include <charconv>

#include "interpreter/shortened.h"

namespace hlo::text {
namespace {

// As many digits of a number stand in a message.
constexpr size_t kMostNumber = 40;

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

}  // namespace

Nesting::Nesting(Scanner& in) : in_(in) {
  if (in_.depth_ >= kMaxDepth) {
    in_.fail(in_.lexicon_.depth, "the text is nested more than " +
                                     std::to_string(kMaxDepth) +
                                     " levels deep");
  }
  ++in_.depth_;
}

Scanner::Scanner(std::string_view source, const Lexicon& lexicon)
    : lexicon_(lexicon),
      source_(source),
      end_(source.size()),
      line_starts_(find_lines(source)) {
  skip_space();
}

void Scanner::enter(size_t begin, size_t end) {
  position_ = begin;
  end_ = end;
  skip_space();
}

size_t Scanner::skip_comment(size_t from) const {
  const std::string_view start = source_.substr(from, 2);
  if (start == "//") {
    return std::min(source_.find_first_of("\r\n", from), end_);
  }
  if (start != "/*" || !lexicon_.block_comments) return from;
  const size_t close = source_.find("*/", from + 2);
  if (close == std::string_view::npos) {
    fail_at(from, "text.comment", "the comment is not closed with */");
  }
  return close + 2;
}

void Scanner::skip_space() {
  while (position_ < end_) {
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

void Scanner::advance(size_t length) {
  position_ += length;
  skip_space();
}

char Scanner::peek_behind(size_t length) const {
  size_t position = position_ + length;
  while (position < end_ && is_space(source_[position])) ++position;
  return position < end_ ? source_[position] : '\0';
}

bool Scanner::eat(char symbol) {
  if (at_end() || source_[position_] != symbol) return false;
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
  size_t end = position_ + 1;
  while (end < end_ && in_name(source_[end]) &&
         (source_[end] != '-' || source_.substr(end, 2) != "->")) {
    ++end;
  }
  return source_.substr(position_, end - position_);
}

std::string_view Scanner::word(std::string_view what) {
  const std::string_view word = peek_word();
  if (word.empty()) expected(what);
  advance(word.size());
  return word;
}

std::string_view Scanner::name(std::string_view what) {
  if (peek() == '%') {
    ++position_;
    if (!is_letter(peek())) expected("a name behind '%'", "text.name");
  }
  return word(what);
}

std::string_view Scanner::suffix(std::string_view what) {
  size_t length = 1;
  if (is_digit(peek(1))) {
    while (is_digit(peek(length))) ++length;
  } else if (is_letter(peek(1)) || peek(1) == '$' || peek(1) == '.' ||
             peek(1) == '-') {
    while (in_name(peek(length)) ||
           (peek(length) == '-' && peek(length + 1) != '>')) {
      ++length;
    }
  }
  if (length == 1) expected(what);
  const std::string_view name = source_.substr(position_ + 1, length - 1);
  advance(length);
  return name;
}

int64_t Scanner::integer(std::string_view what) {
  int64_t value = 0;
  const char* begin = source_.data() + position_;
  const char* end = source_.data() + end_;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    fail(lexicon_.range, "the integer " +
                             shortened({begin, stop}, kMostNumber) +
                             " does not fit into 64 bits");
  }
  if (error != std::errc()) expected(what);
  advance(static_cast<size_t>(stop - begin));
  return value;
}

int64_t Scanner::natural(std::string_view what) {
  if (peek() == '-') expected(what);
  return integer(what);
}

bool Scanner::boolean() {
  if (eat_word("true")) return true;
  if (eat_word("false")) return false;
  expected("true or false");
}

std::string_view Scanner::run(std::string_view allowed) {
  const size_t end =
      std::min(source_.find_first_not_of(allowed, position_), end_);
  const std::string_view text = source_.substr(position_, end - position_);
  advance(text.size());
  return text;
}

size_t Scanner::string_end(size_t from) const {
  const char quote = source_[from];
  const std::string_view text = source_.substr(0, end_);
  const size_t close = text.find(quote, from + 1);
  const std::string_view inside = text.substr(from + 1, close - from - 1);
  // Blobs are long and have no escapes: each of these passes is a quick one.
  const bool is_plain =
      close != std::string_view::npos &&
      inside.find('\\') == std::string_view::npos &&
      (lexicon_.long_strings || inside.find('\n') == std::string_view::npos);
  if (is_plain) return close + 1;
  for (size_t i = from + 1; i < end_; ++i) {
    if (text[i] == '\n' && !lexicon_.long_strings) break;
    if (text[i] == quote) return i + 1;
    if (text[i] == '\\') ++i;
  }
  fail_at(from, lexicon_.string,
          lexicon_.long_strings ? "the string is not closed"
                                : "the string is not closed in its line");
}

std::string_view Scanner::raw_string() {
  if (at_end() || lexicon_.quotes.find(peek()) == std::string_view::npos) {
    expected("a quoted string");
  }
  const size_t end = string_end(position_);
  const std::string_view text = source_.substr(position_, end - position_);
  advance(text.size());
  return text;
}

std::string Scanner::string() {
  const size_t start = position_;
  Unescaped result = lexicon_.unescape(raw_string());
  if (!result.wrong) return std::move(result.text);
  fail_at(start + *result.wrong, lexicon_.string,
          "the string has an escape that is none");
}

std::string_view Scanner::braces(bool with_comments) {
  const size_t start = position_;
  int depth = 0;
  for (size_t i = start; i < end_; ++i) {
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

// In -> and, within other brackets, in >= it closes nothing.
size_t Scanner::balanced_end() const {
  std::string open;
  const auto is_no_bracket = [&](size_t i) {
    return source_[i] == '>' &&
           (source_[i - 1] == '-' ||
            (open.back() != '>' && i + 1 < end_ && source_[i + 1] == '='));
  };
  for (size_t i = position_; i < end_; ++i) {
    const char c = source_[i];
    if (c == '"') {
      i = string_end(i) - 1;
    } else if (counterpart(c) != '\0') {
      open += counterpart(c);
    } else if (is_closing(c) && !is_no_bracket(i)) {
      if (c != open.back()) {
        fail_at(
            i, lexicon_.syntax,
            std::string("expected '") + open.back() + "' before '" + c + "'");
      }
      open.pop_back();
      if (open.empty()) return i + 1;
    }
  }
  fail(lexicon_.syntax, "the bracket is not closed");
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
    fail(lexicon_.size,
         "what the text writes in short form is too large: it can take at most "
         "256 MiB");
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
  fail(rule.empty() ? lexicon_.syntax : rule,
       "expected " + std::string(what) + ", found " + found());
}

std::string Scanner::found() const {
  if (at_end()) return "the end of the text";
  constexpr size_t kMaxLength = 40;
  const bool is_run =
      in_name(peek()) || lexicon_.sigils.find(peek()) != std::string_view::npos;
  size_t length = 1;
  while (is_run && length <= kMaxLength && in_name(peek(length))) ++length;
  return "'" + shortened(rest().substr(0, length), kMaxLength) + "'";
}

}  // namespace hlo::text
