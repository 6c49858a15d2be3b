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
  /// What is missing of it, and whether that is an error; empty of a whole one.
  std::string missing = {};
  bool is_cut = false;
};

/// A JUnit XML report: a suite for each operation, a test for each case, the
/// first findings of an operation and type in full. Where something is missing,
/// one more test says so: an error where the run is cut, else a skipped one. Of
/// several runs the suites are named by the backend, too.
std::string junit(const std::vector<TestedRun>& runs);

/// The text with XML's special characters escaped, the control characters that
/// XML forbids taken out, and U+FFFD for what is not UTF-8 or is no character
/// of XML.
std::string xml_escape(std::string_view text);

}  // namespace hlo::conformance
