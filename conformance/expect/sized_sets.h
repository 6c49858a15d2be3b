#pragma once

#include <optional>
#include <vector>

#include "conformance/sets/expectation.h"

namespace hlo::conformance {

/// The observed arrays at the sizes of the wanted ones, which those from memory
/// alone do not tell; nothing where they have others and will be refused.
std::optional<std::vector<Literal>> cut_alike(
    const std::vector<const Literal*>& wanted,
    const std::vector<Literal>& observed);

/// Lays a set of an array of just the sizes that `bounds` has at run time into
/// the bounds of its shape.
void lay_into_bounds(Expectation& set, const Literal& bounds);

}  // namespace hlo::conformance
