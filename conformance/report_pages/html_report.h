#pragma once

#include <span>
#include <string>

#include "conformance/report_pages/figure.h"
#include "conformance/report_pages/run_table.h"

namespace hlo::conformance {

/// One HTML file that needs nothing else: the data of the runs, and the parts
/// of `page` that show them. What events say appears as text only.
std::string html_report(const RunTable& table,
                        std::span<const Figure> figures = {});

}  // namespace hlo::conformance
