#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/summary.h"

namespace hlo::conformance {

/// A run in a JUnit report.
struct TestedRun {
  const Summary* summary;  // which keeps its tests
  std::string backend;
  int64_t left = 0;  // cases that were not judged
};

/// A JUnit XML report: a suite for each operation, a test for each case, the
/// first findings of an operation and type in full. Where cases are left that
/// were not judged, one more test is an error that says so. Of several runs the
/// suites are named by the backend, too.
std::string junit(const std::vector<TestedRun>& runs);

/// The text with XML's special characters escaped, the control characters that
/// XML forbids taken out, and U+FFFD for what is not UTF-8.
std::string xml_escape(std::string_view text);

}  // namespace hlo::conformance
