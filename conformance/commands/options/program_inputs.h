#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hlo::conformance {

/// --input.
void add_inputs(CLI::App* command, std::vector<std::string>& inputs);
/// --infeed.
void add_infeed(CLI::App* command, std::vector<std::string>& infeed);
/// --infeed and --custom-calls: what a program gets from outside of it while it
/// runs.
void add_surroundings(CLI::App* command, std::vector<std::string>& infeed,
                      std::vector<std::string>& custom_calls);

}  // namespace hlo::conformance
