#pragma once

#include <string>
#include <string_view>

#include "interpreter/error.h"

namespace hlo::conformance {

/// The text of a program: of the file, or of standard input for "-". Error
/// "file.read".
std::string read_program(const std::string& file);

/// Prints to standard error what is wrong with a program or with the command
/// that runs it, with the line and a caret where it has a place in `source`.
/// The exit code: kBroken for files, kUsage for inputs, else kDiffers.
int report_error(const Error& error, const std::string& file,
                 std::string_view source);
/// The same on one line.
int report_error_line(const Error& error, const std::string& file);

/// `text` with ? for control characters, which would confuse a terminal, and
/// for bytes that are not UTF-8.
std::string printable(std::string text);

}  // namespace hlo::conformance
