#include "conformance/commands/command_line/usage.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "conformance/commands/command_line/help.h"
#include "interpreter/error.h"
#include "interpreter/nearest.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

[[noreturn]] void fail(const std::string& rule, const std::string& message) {
  throw Error(Phase::kParse, rule, message);
}

/// The command that was read, or the program where there is none yet.
const CLI::App& chosen(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::string name_of(const CLI::App& app) {
  const CLI::App& command = chosen(app);
  return &command == &app ? "assay" : "assay " + command.get_name();
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// What was meant by an option that the command does not have.
std::string meant(const std::string& option, const CLI::App& command) {
  if (option == "--max-steps")
    return suggestion("--max-work", {{"--max-work"}});
  return suggestion(option, option_names(command));
}

/// What is wrong with an argument that the command does not take.
std::string unexpected(const std::string& argument, const CLI::App& app) {
  const std::string name = name_of(app);
  if (!argument.starts_with('-') || argument == "-") {
    return name + " has one argument too many, " + shortened(argument);
  }
  const std::string option = argument.substr(0, argument.find('='));
  return name + " has no option " + shortened(option) +
         meant(option, chosen(app));
}

std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  constexpr size_t kMostComplaint = 400;
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> left = chosen(app).remaining(true);
    if (!left.empty()) return unexpected(left.front(), app);
  }
  const bool lacks =
      dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  const size_t end = text.find(": ");
  if (lacks && end != std::string::npos && text.ends_with(" missing")) {
    return text.substr(0, end) + " has no value, but needs one";
  }
  return shortened(text, kMostComplaint);
}

/// What was meant by the name of a command that there is not.
std::string suggested(std::string_view command,
                      const std::vector<std::string>& names) {
  return command == "help" ? " (did you mean --help?)"
                           : suggestion(command, names);
}

/// Error "usage.command" where the first argument is none.
void check_command(const CLI::App& app, int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first.starts_with('-')) return;
  std::vector<std::string> names;
  std::string all;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == first) return;
    names.push_back(command->get_name());
    all += (all.empty() ? "" : ", ") + command->get_name();
  }
  fail("usage.command",
       (argc > 1 ? "there is no command \"" + shortened(first) + "\"" +
                       suggested(first, names)
                 : std::string("no command is given")) +
           ", but it must be one of " + all);
}

/// Text where the command line asks for help, empty else.
std::string read(CLI::App& app, int argc, char** argv) {
  check_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream help;
    std::ostringstream ignored;
    if (app.exit(error, help, ignored) == 0) return help.str();
    fail("usage.option", complaint(app, error) + " (" + name_of(app) +
                             " --help tells what there is)");
  }
  return {};
}

}  // namespace

std::string read_command_line(CommandLine& line, const std::string& version,
                              int argc, char** argv) {
  CLI::App app("Tells whether a machine computes HLO operations correctly.",
               "assay");
  app.formatter(std::make_shared<Help>());
  app.require_subcommand(1);
  app.set_version_flag("--version", version);
  Command program(app);
  add_commands(program, line);
  return read(app, argc, argv);
}

}  // namespace hlo::conformance
