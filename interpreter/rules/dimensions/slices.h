#pragma once

#include <cstdint>

#include "interpreter/model/literal.h"

namespace hlo {

/// Slice k of the array along dimension d, of `shape`: the array's without that
/// dimension. Sizes at run time go along.
Literal take_slice(const Literal& array, const Shape& shape, int64_t d,
                   int64_t k);
/// Writes slice k along dimension d.
void put_slice(Literal& array, const Literal& slice, int64_t d, int64_t k);

}  // namespace hlo
