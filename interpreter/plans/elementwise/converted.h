#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/rules/op.h"

namespace hlo {

/// Converts n elements as spec/ops/convert.md says: numbers are rounded once,
/// integers wrap, floats saturate to integers; the same type is copied bit for
/// bit. Complex values are converted to complex types only.
void convert_elements(ElementType from, const std::byte* source, int64_t n,
                      ElementType to, std::byte* target);
/// The array with each element converted; shares the elements where it has that
/// type already.
Literal converted(const Literal& literal, ElementType to, int threads = 1);

}  // namespace hlo
