#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hlo::conformance {

/// Reads the command line. Text where it asks for help, which is to be printed
/// and nothing else done; empty else. Errors "usage.command" and
/// "usage.option", which tell what was meant.
std::string read_command_line(CLI::App& app, int argc, char** argv);

}  // namespace hlo::conformance
