#pragma once

#include <string>

namespace hlo::conformance {

/// `text` with ? for control characters, which would confuse a terminal, and
/// for bytes that are not UTF-8.
std::string printable(std::string text);

}  // namespace hlo::conformance
