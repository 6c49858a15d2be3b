#pragma once

#include <limits>
#include <string>

#include "conformance/commands/options/command.h"
#include "conformance/commands/options/limits.h"

namespace hlo::conformance {

/// --junit.
inline void add_junit(Command& command, std::string& file) {
  command.add_option("--junit", file, "file for a JUnit report")
      .type_name("FILE");
}

/// --output of a command that prints.
inline void add_text_output(Command& command, std::string& file) {
  command
      .add_option("-o,--output", file,
                  "file for what is printed, in place of stdout")
      .type_name("FILE");
}

/// --failures, which is at least so many.
inline void add_failures(Command& command, int& failures, int least) {
  command
      .add_option("--failures", failures,
                  "how many that fail to show in full; compare stops there")
      .check(number(least, std::numeric_limits<int>::max()))
      .capture_default_str();
}

/// --all.
inline void add_all(Command& command, bool& all) {
  command.add_flag("--all", all, "leave nothing out, however long it is");
}

/// --verbose, --junit, --output and --failures: what a run tells, and where.
template <typename Options>
void add_reports(Command& command, Options& options,
                 const std::string& events) {
  command.add_flag("-v,--verbose", options.verbose,
                   "a row for each operation and type");
  add_junit(command, options.junit);
  command.add_option("-o,--output", options.output, events).type_name("FILE");
  add_failures(command, options.failures, 0);
}

}  // namespace hlo::conformance
