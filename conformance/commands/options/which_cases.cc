#include "conformance/commands/options/which_cases.h"

#include "conformance/case/case_files.h"
#include "conformance/commands/options/limits.h"
#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {

void add_drawing(Command& command, Drawing& drawing) {
  command.add_option("--seed", drawing.seed, "of the tiers layouts and full")
      .check(number<int64_t>(0, UINT32_MAX))
      .capture_default_str();
  command
      .add_option("--count", drawing.count,
                  "how many cases of the tiers layouts and full")
      .check(positive())
      .capture_default_str();
  command
      .add_option("--shard", drawing.shard,
                  "I/N: part I of N of the cases, from 0")
      .type_name("I/N");
}

std::string taken_filter(const std::string& filter) {
  std::string taken = meant_filter(filter);
  if (taken != filter) {
    complain(printable("the filter " + shortened(filter) + " is taken as " +
                       shortened(taken) + "\n"));
  }
  return taken;
}

void add_name_filter(Command& command, std::string& filter) {
  command
      .add_option("-f,--filter", filter,
                  "which ones, by their ids or names: "
                  "GLOB:GLOB...[:-GLOB...]; of ids add means add/*")
      .type_name("GLOBS")
      .capture_default_str();
}

void add_filter(Command& command, std::string& filter) {
  add_name_filter(command, filter);
  command.option("--filter").transform(taken_filter);
}

void add_require(Command& command, std::string& require) {
  command
      .add_option("--require", require,
                  "which cases fail where the backend does not support "
                  "them: GLOB:GLOB...[:-GLOB...]")
      .type_name("GLOBS")
      .transform(taken_filter);
}

}  // namespace hlo::conformance
