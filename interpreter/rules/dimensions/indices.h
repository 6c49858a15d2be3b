#pragma once

#include "interpreter/model/attribute.h"
#include "interpreter/model/index_loops.h"

namespace hlo {

/// The entries of `values` that `dims` names, in the order of `dims`.
Ints chosen(const Ints& values, const Ints& dims);
/// Sets the entries of `index` that `dims` names to `values`.
void place(Index& index, const Ints& dims, const Ints& values);

}  // namespace hlo
