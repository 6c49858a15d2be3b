#pragma once

#include <string>

#include "conformance/layout/memory.h"

namespace hlo::conformance {

/// An SVG picture of the array and of the memory that it lies in; tiles have
/// colours, padding is hatched.
std::string draw_svg(const Memory& memory);

}  // namespace hlo::conformance
