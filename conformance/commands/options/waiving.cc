#include "conformance/commands/options/waiving.h"

#include <string>

#include "conformance/waivers/day.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {

void add_waiving(Command& command, Waiving& waiving) {
  command
      .add_option("--waivers", waiving.files,
                  "a file of failures that are known; they are counted apart")
      .type_name("FILE")
      .repeatable();
  command.add_flag("--strict", waiving.strict,
                   "fail where a case conforms although it is waived");
  command
      .add_option("--today", waiving.today,
                  "the day on which waivers may have expired, as in "
                  "2027-01-31; that of the clock in UTC without")
      .type_name("DAY")
      .check([](const std::string& text) -> std::string {
        if (is_day(text)) return {};
        return "it is " + shortened(text) +
               ", but must be a day as in 2027-01-31";
      });
  for (const char* const name : {"--strict", "--today"}) {
    command.option(name).needs(command.option("--waivers"));
  }
}

}  // namespace hlo::conformance
