#include "conformance/commands/options/command.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <vector>

namespace hlo::conformance {

CommandOption& CommandOption::required() {
  option_->required();
  return *this;
}

CommandOption& CommandOption::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

CommandOption& CommandOption::capture_default_str() {
  option_->capture_default_str();
  return *this;
}

CommandOption& CommandOption::check(const Complaint& complaint) {
  option_->check(complaint);
  return *this;
}

CommandOption& CommandOption::transform(
    const std::function<std::string(const std::string&)>& function) {
  option_->transform(function);
  return *this;
}

CommandOption& CommandOption::repeatable() {
  option_->expected(1)->take_all()->allow_extra_args(false);
  return *this;
}

CommandOption& CommandOption::list(int least, int most) {
  option_->delimiter(',')->expected(least, most);
  return *this;
}

CommandOption& CommandOption::needs(const CommandOption& other) {
  option_->needs(other.option_);
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& help,
                             const std::string& examples,
                             const std::function<void()>& chosen) {
  CLI::App* command = app_->add_subcommand(name, help);
  command->footer("Examples:\n" + examples);
  command->final_callback(chosen);
  return Command(*command);
}

void Command::when_read(const std::function<void()>& function) {
  app_->parse_complete_callback(function);
}

template <typename T>
CommandOption Command::add_option(const std::string& names, T& value,
                                  const std::string& help) {
  return CommandOption(*app_->add_option(names, value, help));
}

CommandOption Command::add_bytes(const std::string& names,
                                 const std::function<void(uint64_t)>& read,
                                 const std::string& help) {
  CLI::Option* option = app_->add_option_function<uint64_t>(names, read, help);
  option->transform(CLI::AsSizeValue(/*kb_is_1000=*/false));
  return CommandOption(*option);
}

void Command::add_flag(const std::string& names, bool& value,
                       const std::string& help) {
  app_->add_flag(names, value, help);
}

CommandOption Command::option(const std::string& name) const {
  return CommandOption(*app_->get_option(name));
}

bool Command::has(const std::string& name) const {
  const CLI::Option* const option = app_->get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

template <typename T>
bool read_number(const std::string& text, T& value) {
  return CLI::detail::lexical_cast(text, value);
}

template CommandOption Command::add_option(const std::string&, std::string&,
                                           const std::string&);
template CommandOption Command::add_option(const std::string&, int&,
                                           const std::string&);
template CommandOption Command::add_option(const std::string&, int64_t&,
                                           const std::string&);
template CommandOption Command::add_option(const std::string&, uint32_t&,
                                           const std::string&);
template CommandOption Command::add_option(const std::string&, double&,
                                           const std::string&);
template CommandOption Command::add_option(const std::string&,
                                           std::optional<int64_t>&,
                                           const std::string&);
template CommandOption Command::add_option(const std::string&,
                                           std::vector<std::string>&,
                                           const std::string&);
template CommandOption Command::add_option(const std::string&,
                                           std::vector<int64_t>&,
                                           const std::string&);
template bool read_number(const std::string&, int&);
template bool read_number(const std::string&, int64_t&);
template bool read_number(const std::string&, uint64_t&);
template bool read_number(const std::string&, double&);

}  // namespace hlo::conformance
