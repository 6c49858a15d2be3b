#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace hlo::conformance {

/// Runs the command that was chosen; its exit code.
using Action = std::function<int()>;

/// What a command is called, is for, and is used as.
struct Purpose {
  std::string name;
  std::string help;
  std::string examples;  // a line each
};

/// The command, which puts `action` into `chosen` where it is called.
inline CLI::App* subcommand(CLI::App& app, const Purpose& purpose,
                            Action& chosen, const Action& action) {
  CLI::App* command = app.add_subcommand(purpose.name, purpose.help);
  command->footer("Examples:\n" + purpose.examples);
  command->callback([&chosen, action] { chosen = action; });
  return command;
}

}  // namespace hlo::conformance
