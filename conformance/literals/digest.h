#pragma once

#include <string>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// The SHA-256 of an array or a token, as spec/conformance.md defines it: of
/// its shape's text, a line break, and its elements; layouts do not count.
std::string digest(const Literal& leaf);

}  // namespace hlo::conformance
