#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// Whether an array of `dims` is a value of the array shape: along dynamic
/// dimensions it may be smaller.
bool has_room(const Shape& shape, const std::vector<int64_t>& dims);

/// The elements of an array that exist: itself, or where it has dynamic
/// dimensions the array of the run-time sizes, without dynamic marks.
Literal live_part(const Literal& literal);

/// The value of `shape` with dynamic dimensions whose elements that exist are
/// those of `part`.
Literal with_room(const Literal& part, const Shape& shape);

}  // namespace hlo::conformance
