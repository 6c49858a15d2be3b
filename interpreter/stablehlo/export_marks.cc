#include "interpreter/stablehlo/export_marks.h"

#include "interpreter/stablehlo/export_writer.h"

namespace hlo::stablehlo {
namespace {

/// The quoted string behind `key=` of a verbatim dictionary, as it stands:
/// MLIR's escapes are a part of HLO's. Empty where there is none.
std::string_view quoted_after(std::string_view text, std::string_view key) {
  const size_t from = text.find(key);
  if (from == std::string_view::npos) return {};
  const size_t begin = from + key.size();
  size_t end = begin;
  while (end < text.size() && text[end] != '"') {
    end += text[end] == '\\' ? size_t{2} : size_t{1};
  }
  return text.substr(begin, end - begin);
}

}  // namespace

std::string marks_text(const Instruction& instruction) {
  const auto* value = instruction.find("sharding");
  if (value == nullptr) return "";
  const auto& sharding = std::get<Verbatim>(*value);
  return " {mhlo.sharding = " + string_text(sharding.text) + "}";
}

std::string argument_marks(const Instruction& parameter) {
  return parameter.shape.is_tuple() ? "" : marks_text(parameter);
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
