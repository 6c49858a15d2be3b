#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hlo::conformance {

/// Says what is wrong with a text, or nothing.
using Complaint = std::function<std::string(const std::string&)>;

/// An option of a command. The library's templates, which take a compiler
/// longer than any other text, stay behind it; each function gives the option
/// back.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option& option) : option_(&option) {}

  /// The command line must have it.
  CommandOption& required();
  /// What help calls its value.
  CommandOption& type_name(const std::string& name);
  /// Help shows what it is without being given.
  CommandOption& capture_default_str();
  /// Its values must pass.
  CommandOption& check(const Complaint& complaint);
  /// Its values are these ones of what was read.
  CommandOption& transform(
      const std::function<std::string(const std::string&)>& function);
  /// It may stand several times, with one value each.
  CommandOption& repeatable();
  /// It has from `least` to `most` values with commas between them.
  CommandOption& list(int least, int most);
  /// Another option must be there too.
  CommandOption& needs(const CommandOption& other);

 private:
  CLI::Option* option_;
};

/// A command, or the program, whose commands are within it.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  /// A command within it; `examples` stand under its help, and `chosen` is
  /// called where the command line names it.
  Command add_command(const std::string& name, const std::string& help,
                      const std::string& examples,
                      const std::function<void()>& chosen);
  /// Called where the command line names it and all its options are read,
  /// before the command is chosen.
  void when_read(const std::function<void()>& function);
  /// An option whose value is put into `value`: a string, int, int64_t,
  /// uint32_t, double, an optional int64_t, or a vector of strings or int64_t.
  template <typename T>
  CommandOption add_option(const std::string& names, T& value,
                           const std::string& help);
  /// An option that is a number of bytes, which may be written as in 4GB.
  CommandOption add_bytes(const std::string& names,
                          const std::function<void(uint64_t)>& read,
                          const std::string& help);
  /// An option without a value.
  void add_flag(const std::string& names, bool& value, const std::string& help);
  /// The option of that name, which it has.
  CommandOption option(const std::string& name) const;
  /// Whether the command line gave it this option.
  bool has(const std::string& name) const;

 private:
  CLI::App* app_;
};

/// Whether the text is a number as options take them, and which.
template <typename T>
bool read_number(const std::string& text, T& value);

}  // namespace hlo::conformance
