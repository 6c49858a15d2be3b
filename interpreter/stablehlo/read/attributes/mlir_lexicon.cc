#include "interpreter/stablehlo/read/attributes/mlir_lexicon.h"

namespace hlo::stablehlo {
namespace {

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

text::Unescaped unescape_mlir(std::string_view quoted) {
  text::Unescaped result;
  for (size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] != '\\') {
      result.text += quoted[i];
      continue;
    }
    const int character = escaped(quoted, ++i);
    if (character < 0) return {.text = {}, .wrong = i};
    result.text += static_cast<char>(character);
  }
  return result;
}

}  // namespace hlo::stablehlo
