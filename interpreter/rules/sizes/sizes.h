#pragma once

#include <string>

#include "interpreter/model/attribute.h"
#include "interpreter/model/literal.h"

namespace hlo {

/// Whether the array has fewer elements at run time than its bounds say.
bool is_sized(const Literal& array);
/// The sizes that an array has at run time.
Ints sizes_of(const Literal& array);
/// Sizes as text: "[2,3]".
std::string sizes_text(const Ints& sizes);
/// The elements that exist at run time, as an array of that many; a tuple of
/// such arrays.
Literal cut(const Literal& value);
/// The arrays of `value` in the bounds of `shape`, with zeros past them.
Literal in_bounds(const Literal& value, const Shape& shape);

/// The array of the elements whose indices are below `sizes`.
Literal trimmed(const Literal& array, const Ints& sizes);

}  // namespace hlo
