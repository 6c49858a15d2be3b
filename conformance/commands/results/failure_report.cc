#include "conformance/commands/results/failure_report.h"

#include <fmt/format.h>

#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {

int report_failure(const std::string& backend, const Failure& failure) {
  complain(printable(fmt::format("{} {}{}{}\n", backend, failure.rule,
                                 failure.rule.empty() ? "" : ": ",
                                 in_lines(failure.message))));
  switch (failure.kind) {
    case Failure::Kind::kUnsupported:
      return kNothing;
    case Failure::Kind::kRejected:
    case Failure::Kind::kWrongShape:
      return kDiffers;
    default:
      return kBroken;
  }
}

}  // namespace hlo::conformance
