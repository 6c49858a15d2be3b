#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "conformance/numerics/rival.h"
#include "interpreter/model/element_type.h"

// All codes of types of at most 16 bits, all pairs of those of at most 8,
// against MPFR.
namespace hlo::conformance {

/// Whether a function is tried at all arguments of a float type.
bool has_all_codes(const Rival& rival, ElementType type);

/// The first arguments of the type where the reference is not MPFR's value,
/// rounded by other code than the reference's; only the first counts of a
/// function of one. Any NaN will do for another.
std::optional<std::pair<uint32_t, uint32_t>> first_wrong_code(
    const Rival& rival, ElementType type);

/// The first pair of codes that an operation of HLO gets wrong, among all that
/// a type of at most 8 bits has.
std::optional<std::pair<uint32_t, uint32_t>> first_wrong_result(
    std::string_view operation, ElementType type);

/// The operations of first_wrong_result.
std::span<const std::string_view> exact_operations();

}  // namespace hlo::conformance
