#include "interpreter/stablehlo/read/parse.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "interpreter/arithmetic_state.h"
#include "interpreter/stablehlo/read/attributes/attribute_reader.h"
#include "interpreter/stablehlo/read/attributes/mlir_lexicon.h"
#include "interpreter/stablehlo/read/program_reader.h"

namespace hlo::stablehlo {
namespace {

/// Where the line that separates programs starts, from `from` on.
size_t find_separator(std::string_view source, size_t from) {
  constexpr std::string_view kSeparator = "// -----";
  size_t i = source.find(kSeparator, from);
  while (i != std::string_view::npos && i > 0 && source[i - 1] != '\n') {
    i = source.find(kSeparator, i + 1);
  }
  return std::min(i, source.size());
}

/// Whether it is a name and `=`, as instructions of HLO begin.
bool begins_instruction(Scanner& in) {
  const std::string_view word = in.peek_word();
  if (word.empty()) return in.peek() == '%';
  in.advance(word.size());
  return word == "ROOT" || in.peek() == '=';
}

/// Whether what follows `module` is of a module, not of a computation or an
/// instruction of that name.
bool follows_module(Scanner& in) {
  if (in.peek() == '@' || in.peek_word() == "attributes") return true;
  return in.eat('{') && !begins_instruction(in);
}

/// Whether a function is what stands behind `func.func`.
bool follows_function(const Scanner& in) {
  const std::string_view word = in.peek_word();
  return in.peek() == '@' || word == "private" || word == "public" ||
         word == "nested";
}

}  // namespace

bool is_stablehlo(std::string_view source) {
  Scanner in(source, kMlirLexicon);
  const std::string_view rest = in.rest();
  const std::string_view word = in.peek_word();
  in.advance(word.size());
  if (word == "module" || word == "builtin.module") return follows_module(in);
  if (word == "func.func") return follows_function(in);
  if (word == "sdy.mesh") return in.peek() == '@';
  return rest.starts_with("\"builtin.module\"") ||
         rest.starts_with("\"func.func\"") || rest.starts_with('#') ||
         rest.starts_with('!') || rest.starts_with("{-#");
}

std::vector<Program> parse(std::string_view source) {
  const ReferenceArithmetic arithmetic;
  Scanner in(source, kMlirLexicon);
  std::vector<Program> programs;
  for (size_t begin = 0; begin < source.size();) {
    const size_t end = find_separator(source, begin);
    in.enter(begin, end);
    if (!in.at_end()) programs.push_back(ProgramReader(in).read());
    begin = std::min(source.find('\n', end), source.size());
  }
  return programs;
}

Literal parse_dense(std::string_view source) {
  const ReferenceArithmetic arithmetic;
  Scanner in(source, kMlirLexicon);
  in.enter(0, source.size());
  Attribute attribute = AttributeReader(in).dense();
  if (!in.at_end()) in.fail("stablehlo.syntax", "expected the end of the text");
  return std::get<Literal>(std::move(attribute.value));
}

}  // namespace hlo::stablehlo
