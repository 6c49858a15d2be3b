#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/report/summary.h"

namespace hlo::conformance {

/// A JUnit XML report: a suite for each operation, a test for each of its
/// types, with the first findings in full. Where cases are left that were not
/// judged, one more test is an error that says so.
std::string junit(const Summary& summary, const std::string& backend,
                  int64_t left = 0);

/// The text with XML's special characters escaped, the control characters that
/// XML forbids taken out, and U+FFFD for what is not UTF-8.
std::string xml_escape(std::string_view text);

}  // namespace hlo::conformance
