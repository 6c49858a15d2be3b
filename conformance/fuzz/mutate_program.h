#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hlo::conformance {

/// The HLO text with one of its parts changed: an element type, size,
/// attribute, operand, operation or root. Where the text is valid, most such
/// programs are, and the others break one rule. Nothing where the text is no
/// program, or what it is changed to has no text.
std::optional<std::string> mutated_program(std::string_view source,
                                           uint64_t seed);

}  // namespace hlo::conformance
