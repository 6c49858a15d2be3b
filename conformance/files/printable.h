#pragma once

#include <string>
#include <string_view>

namespace hlo::conformance {

/// `text` with ? for control characters and marks of direction, which would
/// confuse a terminal, and for bytes that are not UTF-8.
std::string printable(std::string text);

/// What someone else says, for a report: lines behind the first one stand
/// behind "  | ", and so does what GitHub would take for a command, so that
/// they are no lines of the report.
std::string in_lines(std::string_view text);

/// What stands before what is told of a backend: "cpu:", and "jax:cpu:" of
/// jax:cpu.
std::string with_colon(std::string uri);

}  // namespace hlo::conformance
