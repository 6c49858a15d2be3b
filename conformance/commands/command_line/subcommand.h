#pragma once

#include <functional>
#include <string>

#include "conformance/commands/options/command.h"

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
inline Command subcommand(Command& program, const Purpose& purpose,
                          Action& chosen, const Action& action) {
  return program.add_command(purpose.name, purpose.help, purpose.examples,
                             [&chosen, action] { chosen = action; });
}

}  // namespace hlo::conformance
