#pragma once

#include <string>

#include "conformance/commands/command_line/command_line.h"

namespace hlo::conformance {

/// Reads the command line. Text where it asks for help, which is to be printed
/// and nothing else done; empty else. Errors "usage.command" and
/// "usage.option", which tell what was meant.
std::string read_command_line(CommandLine& line, const std::string& version,
                              int argc, char** argv);

}  // namespace hlo::conformance
