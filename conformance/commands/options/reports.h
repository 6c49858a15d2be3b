#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "conformance/commands/options/limits.h"

namespace hlo::conformance {

/// --verbose, --junit, --output and --failures: what a run tells, and where.
template <typename Options>
void add_reports(CLI::App* command, Options& options,
                 const std::string& events) {
  command->add_flag("-v,--verbose", options.verbose,
                    "a row for each operation and type");
  command->add_option("--junit", options.junit, "file for a JUnit report");
  command->add_option("-o,--output", options.output, events);
  command
      ->add_option("--failures", options.failures, "how many to show in full")
      ->check(not_negative())
      ->capture_default_str();
}

}  // namespace hlo::conformance
