#pragma once

#include <string>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// The element as a decimal, as a hexadecimal float where it has one, and as
/// bits: "1.5 = 0x1.8p+0 (bits 3fc00000)".
std::string describe(const Scalar& scalar);

/// "{1,2}" for the element of an array at a row-major position.
std::string index_text(int64_t i, const Literal& array);

/// "0x1.8p+0", with a point whatever the locale is.
std::string hex_float(double value);

}  // namespace hlo::conformance
