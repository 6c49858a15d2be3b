#pragma once

#include "interpreter/model/literal.h"

namespace hlo {

/// Whether the shapes, and the elements of tuples, have the same element types.
bool same_types(const Shape& a, const Shape& b);

/// The literal with each element rounded once to another float type; the
/// literal itself where it has that type or is none of floats.
Literal with_float_type(const Literal& literal, ElementType type);
/// The value with the floats of its arrays rounded to the types of `shape`.
Literal with_float_types(const Literal& value, const Shape& shape);

}  // namespace hlo
