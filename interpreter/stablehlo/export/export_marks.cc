#include "interpreter/stablehlo/export/export_marks.h"

#include <charconv>

#include "interpreter/stablehlo/export/export_literal.h"
#include "interpreter/stablehlo/export/export_text.h"
#include "interpreter/stablehlo/mlir_words.h"
#include "interpreter/text/scan/quote.h"

namespace hlo::stablehlo {
namespace {

/// Where the quotation mark stands that closes the string begun before `from`.
size_t quoted_end(std::string_view text, size_t from) {
  while (from < text.size() && text[from] != '"') {
    from += text[from] == '\\' ? size_t{2} : size_t{1};
  }
  return from;
}

/// The quoted string behind `key=` of a verbatim dictionary, as it stands:
/// MLIR's escapes are a part of HLO's. Empty where there is none.
std::string_view quoted_after(std::string_view text, std::string_view key) {
  const size_t from = text.find(key);
  if (from == std::string_view::npos) return {};
  const size_t begin = from + key.size();
  return text.substr(begin, quoted_end(text, begin) - begin);
}

/// Where the value that begins at `from` ends: at a comma or the brace that
/// closes the dictionary.
size_t value_end(std::string_view text, size_t from) {
  int depth = 0;
  for (size_t i = from; i < text.size(); ++i) {
    if (text[i] == '"') i = quoted_end(text, i + 1);
    if (i >= text.size()) break;
    const char c = text[i];
    if (depth == 0 && (c == ',' || c == '}')) return i;
    if (c == '{') ++depth;
    if (c == '}') --depth;
  }
  return text.size();
}

/// The characters of a quoted string; of another value its text.
std::string characters(std::string_view value) {
  if (!value.starts_with('"')) return std::string(value);
  text::Unescaped result = text::unescape(value);
  if (!result.wrong) return std::move(result.text);
  throw Error(Phase::kVerify, "stablehlo.export",
              "the string has an escape that is none");
}

/// frontend_attributes as an attribute of MLIR.
std::string frontend_text(std::string_view dictionary) {
  std::string text;
  for (size_t i = 1; i + 1 < dictionary.size();) {
    const size_t equals = dictionary.find('=', i);
    if (equals == std::string_view::npos) break;
    const size_t end = value_end(dictionary, equals + 1);
    if (!text.empty()) text += ", ";
    text += string_text(dictionary.substr(i, equals - i)) + " = " +
            string_text(
                characters(dictionary.substr(equals + 1, end - equals - 1)));
    i = end + 1;
    while (i < dictionary.size() && dictionary[i] == ' ') ++i;
  }
  return "mhlo.frontend_attributes = {" + text + "}";
}

}  // namespace

std::string marks_text(const Instruction& instruction) {
  std::string text;
  if (const auto* value = instruction.find("frontend_attributes")) {
    text = frontend_text(std::get<Verbatim>(*value).text);
  }
  if (const auto* value = instruction.find("sharding")) {
    if (!text.empty()) text += ", ";
    text += "mhlo.sharding = " + string_text(std::get<Verbatim>(*value).text);
  }
  return text.empty() ? "" : " {" + text + "}";
}

std::string argument_marks(const Instruction& parameter) {
  return parameter.shape.is_tuple() ? "" : marks_text(parameter);
}

std::string accuracy_text(const Instruction& instruction) {
  const auto* value = instruction.find("result_accuracy");
  if (value == nullptr) return "";
  const std::string_view text = std::get<Verbatim>(*value).text;
  if (text == "{mode=default}") return "";
  const bool has_tolerance = text.starts_with("{tolerance=");
  std::string fields;
  for (const std::string_view name : {"atol=", "rtol=", "ulps="}) {
    const size_t at = text.find(name);
    if (!has_tolerance || at == std::string_view::npos) continue;
    const size_t begin = at + name.size();
    const std::string_view number =
        text.substr(begin, text.find_first_of(",}", begin) - begin);
    double real = 0;
    std::from_chars(number.data(), number.data() + number.size(), real);
    fields += std::string(name.substr(0, 4)) + " = " +
              (name == "ulps=" ? std::string(number) : decimal_text(real)) +
              ", ";
  }
  return "result_accuracy = #stablehlo.result_accuracy<" + fields +
         "mode = #stablehlo.result_accuracy_mode<" +
         (has_tolerance ? "TOLERANCE" : "HIGHEST") + ">>";
}

std::string location_text(const Instruction& instruction) {
  const auto* value = instruction.find("metadata");
  if (value == nullptr) return "";
  const std::string_view name =
      quoted_after(std::get<Verbatim>(*value).text, "op_name=\"");
  if (name.empty() || name.find('\\') != std::string_view::npos) return "";
  return " loc(" + string_text(name) + ")";
}

}  // namespace hlo::stablehlo
