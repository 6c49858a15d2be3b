#pragma once

#include <string>
#include <string_view>

#include "conformance/report/summary.h"

namespace hlo::conformance {

/// A JUnit XML report: a suite for each operation, a test for each of its
/// types, with the first findings in full.
std::string junit(const Summary& summary, const std::string& backend);

/// The text with XML's special characters escaped and the control characters
/// that XML forbids taken out.
std::string xml_escape(std::string_view text);

}  // namespace hlo::conformance
