#include "conformance/commands/program.h"

#include <cstdio>
#include <iostream>
#include <iterator>

#include "conformance/commands.h"
#include "conformance/sources/files.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

int exit_code(std::string_view rule) {
  if (rule.starts_with("file.")) return kBroken;
  if (rule.starts_with("input.") || rule.starts_with("npy.")) return kUsage;
  return kDiffers;
}

bool is_about_files(const Error& error) {
  return exit_code(error.rule()) != kDiffers;
}

int print_error(const Error& error, const std::string& text) {
  std::fputs(printable(text).c_str(), stderr);
  return exit_code(error.rule());
}

std::string without_place(const Error& error) {
  return "error: " + error.rule() + ": " + error.message() + "\n";
}

}  // namespace

std::string read_program(const std::string& file) {
  if (file != "-") return read_file(file);
  return {std::istreambuf_iterator<char>(std::cin),
          std::istreambuf_iterator<char>()};
}

std::string printable(std::string text) {
  for (char& c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < 0x20 && c != '\n') || code == 0x7f) c = '?';
  }
  return text;
}

int report_error(const Error& error, const std::string& file,
                 std::string_view source) {
  if (is_about_files(error)) return print_error(error, without_place(error));
  return print_error(error, text::render(error, file, source));
}

int report_error_line(const Error& error, const std::string& file) {
  if (is_about_files(error)) return print_error(error, without_place(error));
  const std::string text = text::render(error, file, "");
  return print_error(error, text.substr(0, text.find('\n') + 1));
}

}  // namespace hlo::conformance
