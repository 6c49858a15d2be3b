#pragma once

#include <span>
#include <string>

#include "conformance/report_pages/event_file.h"

namespace hlo::conformance {

/// An SVG picture with a row for each run: the backend, and how many of its
/// cases conform. Grey where the run is partial.
std::string badge(std::span<const EventFile> runs);

}  // namespace hlo::conformance
