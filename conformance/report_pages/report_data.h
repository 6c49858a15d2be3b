#pragma once

#include <span>
#include <string>

#include "conformance/report_pages/figure.h"
#include "conformance/report_pages/run_table.h"

namespace hlo::conformance {

/// What the page shows, as JSON without '<', so that nothing in it can end the
/// element that it stands in.
std::string report_data(const RunTable& table,
                        std::span<const Figure> figures = {});

}  // namespace hlo::conformance
