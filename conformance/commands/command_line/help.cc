#include "conformance/commands/command_line/help.h"

#include <algorithm>
#include <sstream>

#include "conformance/files/terminal.h"

namespace hlo::conformance {
namespace {

constexpr size_t kIndent = 26;
constexpr int kWidth = 100;  // where lines have any length

constexpr std::string_view kCodes =
    "Exit codes: 0 all is well, 1 something differs or is refused, 2 the "
    "command is wrong, 3 the program or the backend broke, 4 incomplete, 77 "
    "nothing applies.";

/// The words on lines of that width, behind what stands in the first one.
std::string wrapped(const std::string& before, std::string_view text,
                    size_t indent) {
  const auto width = static_cast<size_t>(
      std::max(std::min(output_width().value_or(kWidth), kWidth), 40));
  std::string lines = before;
  size_t column = before.size();
  if (column + 2 > indent && indent > 0) {
    lines += "\n";
    column = 0;
  }
  lines.append(indent - std::min(indent, column), ' ');
  column = indent;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const bool is_first = column == indent;
    if (!is_first && column + 1 + word.size() > width) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!is_first) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines + "\n";
}

/// "FILE" of "FILE:...", N of the library's words for numbers.
std::string value_name(const std::string& type) {
  for (const std::string_view number : {"INT", "UINT", "FLOAT", "SIZE"}) {
    if (type.starts_with(number)) return "N";
  }
  return type.substr(0, type.find(':'));
}

/// "-j, --jobs N", "FILE": the first of each kind of names.
std::string left(const CLI::Option& option, bool is_positional) {
  if (is_positional) return "  " + option.get_name(true);
  std::string names = "  ";
  if (!option.get_snames().empty()) {
    names += "-" + option.get_snames().front();
    if (!option.get_lnames().empty()) names += ", ";
  }
  if (!option.get_lnames().empty()) {
    names += "--" + option.get_lnames().front();
  }
  if (option.get_items_expected_max() == 0) return names;
  return names + " " + value_name(option.get_type_name());
}

}  // namespace

std::string Help::make_option(const CLI::Option* option,
                              bool is_positional) const {
  std::string text = option->get_description();
  const std::string& otherwise = option->get_default_str();
  if (!otherwise.empty()) text += " [" + otherwise + "]";
  return wrapped(left(*option, is_positional), text, kIndent);
}

std::string Help::make_subcommand(const CLI::App* command) const {
  return wrapped("  " + command->get_name(), command->get_description(),
                 kIndent);
}

std::string Help::make_footer(const CLI::App* app) const {
  const std::string footer = app->get_footer();
  return footer + (footer.empty() ? "" : "\n") + wrapped("", kCodes, 0);
}

}  // namespace hlo::conformance
