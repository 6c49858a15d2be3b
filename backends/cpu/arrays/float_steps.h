#pragma once

#include <optional>

#include "interpreter/model/element_type.h"

namespace hlo::cpu {

/// The number of a float type of at most 32 bits that is nearest to `value`.
double nearest_of(double value, ElementType type);
/// The number of the type next to `value`, which is one, away from zero or
/// towards it; from a zero in the direction of its sign. Nothing where there is
/// no finite one.
std::optional<double> next_away(double value, ElementType type);
std::optional<double> next_towards_zero(double value, ElementType type);

}  // namespace hlo::cpu
