#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hlo::conformance {

/// Help that fits the terminal: an option and what it is for on a line, which
/// goes on indented.
class Help : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option,
                          bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace hlo::conformance
