#pragma once

#include <string>
#include <vector>

#include "conformance/report_pages/figure.h"

namespace hlo::conformance {

/// The pictures of files of sweeps. Errors of read_sweep() and "file.read".
std::vector<Figure> sweep_figures(const std::vector<std::string>& files);

}  // namespace hlo::conformance
