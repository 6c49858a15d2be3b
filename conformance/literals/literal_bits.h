#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// The literal that `text` spells as in spec/conformance.md: a shape and hex
/// bits. Throws Error "vectors.literal" with the column.
Literal parse_bits(std::string_view text);
/// The canonical spelling; layouts are left out, repeats are counted.
std::string print_bits(const Literal& literal);
/// One element: "3f800000", "3f800000:00000000" for a complex one.
std::string print_bits(const Scalar& scalar);

/// How many components (1, or 2 for complex types) an element has.
inline int components(ElementType type) { return is_complex(type) ? 2 : 1; }

}  // namespace hlo::conformance
