#include "interpreter/text/parser.h"

#include "interpreter/arithmetic_state.h"
#include "interpreter/text/grammar/read_literal.h"
#include "interpreter/text/grammar/read_shape.h"
#include "interpreter/text/module/module_reader.h"
#include "interpreter/text/scan/hlo_lexicon.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {
namespace {

void expect_end(const Scanner& in) {
  if (!in.at_end()) in.expected("the end of the text");
}

std::string_view line_of(std::string_view source, int line) {
  for (; line > 1; --line) {
    const size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  return source.substr(0, source.find('\n'));
}

}  // namespace

Module parse(std::string_view source) {
  const ReferenceArithmetic arithmetic;
  Scanner in(source, kHloLexicon);
  return ModuleReader(in).read();
}

Shape parse_shape(std::string_view source) {
  Scanner in(source, kHloLexicon);
  Shape shape = read_shape(in);
  expect_end(in);
  return shape;
}

Literal parse_literal(std::string_view source, const Shape& shape) {
  const ReferenceArithmetic arithmetic;
  Scanner in(source, kHloLexicon);
  auto literal = read_literal(in, shape);
  expect_end(in);
  if (!literal) in.fail_at(0, "text.literal", "the elements are left out");
  return std::move(*literal);
}

Literal parse_literal_with_shape(std::string_view source) {
  const ReferenceArithmetic arithmetic;
  Scanner in(source, kHloLexicon);
  Literal literal = read_literal_with_shape(in);
  expect_end(in);
  return literal;
}

std::string excerpt(const Location& place, std::string_view source) {
  // A long line is cut to what stands around the error.
  constexpr size_t kBefore = 100;
  constexpr size_t kWidth = 160;
  const std::string_view line = line_of(source, place.line);
  const auto column = static_cast<size_t>(std::max(place.column, 1)) - 1;
  const size_t from = column > kBefore ? column - kBefore : 0;
  std::string text = "  ";
  for (const char c : line.substr(std::min(from, line.size()), kWidth)) {
    text += c == '\t' || c == '\r' ? ' ' : c;
  }
  return text + "\n  " + std::string(column - from, ' ') + "^";
}

std::string render(const Error& error, std::string_view file,
                   std::string_view source) {
  const Location place = error.location();
  std::string text(file);
  if (place.line > 0) {
    text += (text.empty() ? "" : ":") + std::to_string(place.line) + ":" +
            std::to_string(place.column);
  }
  text += (text.empty() ? "" : ": ") + std::string("error: ") + error.rule() +
          ": " + error.message() + "\n";
  return place.line <= 0 ? text : text + excerpt(place, source) + "\n";
}

}  // namespace hlo::text
