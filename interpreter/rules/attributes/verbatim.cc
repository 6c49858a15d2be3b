#include "interpreter/rules/attributes/verbatim.h"

#include <algorithm>
#include <charconv>

namespace hlo {
namespace {

// Characters of ASCII only: what others are depends on the locale.
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z') || c == '_' || c == '.' || c == '-';
}

std::optional<Index> read_index(TextScanner& in) {
  if (!in.accept("{")) return std::nullopt;
  Index index;
  while (!in.accept("}")) {
    const std::optional<int64_t> value = in.integer();
    if (!value) return std::nullopt;
    index.push_back(*value);
    in.accept(",");
  }
  return index;
}

/// `(operand, {index}[, kind])` into `alias`.
bool read_origin_of_alias(TextScanner& in, Alias& alias) {
  if (!in.accept("(")) return false;
  const std::optional<int64_t> operand = in.integer();
  if (!operand) return false;
  alias.operand = *operand;
  if (in.accept(",")) {
    const std::optional<Index> index = read_index(in);
    if (!index) return false;
    alias.operand_index = *index;
  }
  if (in.accept(",")) {
    alias.must_alias = in.accept("must-alias");
    if (!alias.must_alias && !in.accept("may-alias")) return false;
  }
  return in.accept(")");
}

std::optional<std::vector<Alias>> read_list(std::string_view text,
                                            bool with_output) {
  TextScanner in(text);
  std::vector<Alias> aliases;
  if (!in.accept("{")) return std::nullopt;
  while (!in.accept("}")) {
    Alias alias;
    if (with_output) {
      const std::optional<Index> output = read_index(in);
      if (!output || !in.accept(":")) return std::nullopt;
      alias.output = *output;
    }
    if (!read_origin_of_alias(in, alias)) return std::nullopt;
    aliases.push_back(std::move(alias));
    in.accept(",");
  }
  return aliases;
}

}  // namespace

void TextScanner::skip_space() {
  while (at_ < text_.size()) {
    if (is_space(text_[at_])) {
      ++at_;
    } else if (text_.substr(at_, 2) == "/*") {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      return;
    }
  }
}

bool TextScanner::at_end() { return peek() == 0; }

char TextScanner::peek() {
  skip_space();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool TextScanner::accept(std::string_view token) {
  skip_space();
  if (!text_.substr(at_).starts_with(token)) return false;
  at_ += token.size();
  return true;
}

std::optional<int64_t> TextScanner::integer() {
  skip_space();
  int64_t value = 0;
  const char* begin = text_.data() + at_;
  const auto [end, error] =
      std::from_chars(begin, text_.data() + text_.size(), value);
  if (error != std::errc{}) return std::nullopt;
  at_ += static_cast<size_t>(end - begin);
  return value;
}

std::string_view TextScanner::word() {
  skip_space();
  const size_t begin = at_;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::optional<std::string_view> TextScanner::quoted() {
  const char quote = peek();
  if (quote != '"' && quote != '\'') return std::nullopt;
  const size_t begin = ++at_;
  while (at_ < text_.size() && text_[at_] != quote) {
    at_ += text_[at_] == '\\' ? 2 : 1;
  }
  const size_t end = std::min(at_, text_.size());
  at_ = end + 1;
  return text_.substr(begin, end - begin);
}

void TextScanner::skip() {
  int depth = 0;
  do {
    const char c = peek();
    if (c == 0) return;
    if (quoted()) continue;
    ++at_;
    if (c == '{' || c == '(' || c == '[') ++depth;
    if (c == '}' || c == ')' || c == ']') --depth;
  } while (depth > 0);
}

std::optional<std::vector<Alias>> read_aliases(std::string_view text) {
  return read_list(text, true);
}

std::optional<std::vector<Alias>> read_donors(std::string_view text) {
  return read_list(text, false);
}

std::optional<std::string_view> find_frontend_attribute(std::string_view text,
                                                        std::string_view key) {
  TextScanner in(text);
  in.accept("{");
  while (!in.at_end() && !in.accept("}")) {
    const std::string_view name = in.word();
    if (!name.empty() && in.accept("=")) {
      const std::optional<std::string_view> value = in.quoted();
      if (name == key && value) return value;
      if (!value) in.skip();
    } else if (name.empty()) {
      in.skip();
    }
  }
  return std::nullopt;
}

namespace {

void skip_punctuation(TextScanner& in) {
  const bool is_known =
      in.accept("=") || in.accept("{") || in.accept("}") || in.accept(",");
  if (!is_known) in.skip();
}

/// The `=2x4` or `=1` behind `word`.
void read_sparsity_field(std::string_view word, TextScanner& in,
                         Sparsity& side) {
  in.accept("=");
  int64_t ignored = 0;
  int64_t& value = word == "sparsity"    ? side.kept
                   : word == "dimension" ? side.dimension
                   : word == "idx"       ? side.operand
                                         : ignored;
  value = in.integer().value_or(value);
  if (in.accept("x")) side.of = in.integer().value_or(side.of);
}

}  // namespace

std::vector<Sparsity> read_sparsity(std::string_view text) {
  TextScanner in(text);
  std::vector<Sparsity> sides;
  while (!in.at_end()) {
    const std::string_view word = in.word();
    if (word == "lhs" || word == "rhs") {
      sides.push_back({.is_rhs = word == "rhs"});
    } else if (word.empty() || sides.empty()) {
      skip_punctuation(in);
    } else {
      read_sparsity_field(word, in, sides.back());
    }
  }
  return sides;
}

std::optional<Nesting> read_origin(std::string_view text) {
  struct Reader {
    TextScanner in;

    std::optional<Nesting> read(int depth) {
      Nesting nesting;
      if (depth > kDeepestVerbatim) return std::nullopt;
      if (in.peek() == '{') {
        in.skip();
        return nesting;
      }
      if (!in.accept("(")) return std::nullopt;
      nesting.is_leaf = false;
      while (!in.accept(")")) {
        std::optional<Nesting> element = read(depth + 1);
        if (!element) return std::nullopt;
        nesting.elements.push_back(std::move(*element));
        in.accept(",");
      }
      return nesting;
    }
  };

  Reader reader{TextScanner(text)};
  if (!reader.in.accept("{")) return std::nullopt;
  if (reader.in.peek() == '(' || reader.in.peek() == '{') {
    return reader.read(0);
  }
  return Nesting{};
}

const Shape* find_subshape(const Shape& shape, const Index& index) {
  const Shape* at = &shape;
  for (const int64_t i : index) {
    if (!at->is_tuple() || i < 0 ||
        i >= static_cast<int64_t>(at->tuple_shapes.size())) {
      return nullptr;
    }
    at = &at->tuple_shapes[static_cast<size_t>(i)];
  }
  return at;
}

}  // namespace hlo
