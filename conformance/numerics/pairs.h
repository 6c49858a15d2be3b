#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "interpreter/model/element_type.h"

namespace hlo::conformance {

/// The first of the pairs of codes (a of [first, last), every b) of f16 or bf16
/// for which the reference's "add", "multiply" or "divide" is not the double
/// result rounded once more to the type, which is right: 53 bits are more than
/// twice the type's and two. Any NaN will do for another. The rounding shares
/// no code with the reference.
std::optional<std::pair<uint32_t, uint32_t>> first_wrong_pair(
    std::string_view operation, ElementType type, uint32_t first,
    uint32_t last);

/// The operations that are tried with all pairs.
std::span<const std::string_view> paired_operations();

}  // namespace hlo::conformance
