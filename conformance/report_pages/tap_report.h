#pragma once

#include <string>

#include "conformance/report_pages/run_table.h"

namespace hlo::conformance {

/// TAP 14: a test for each case of each run, in the order of the runs, whose
/// name begins with the backend where there are several. Cases that were not
/// judged are in the plan and not among the tests.
std::string tap_report(const RunTable& table);

}  // namespace hlo::conformance
