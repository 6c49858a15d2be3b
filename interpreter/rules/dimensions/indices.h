#pragma once

#include <cstdint>
#include <utility>

#include "interpreter/model/attribute.h"

namespace hlo {

/// Calls visit with each index within `sizes`, in row-major order.
template <typename Visit>
void for_each_index(const Ints& sizes, const Visit& visit) {
  for (const int64_t size : sizes) {
    if (size == 0) return;
  }
  Index index(sizes.size());
  for (size_t d = 0;;) {
    visit(std::as_const(index));
    for (d = sizes.size(); d > 0 && ++index[d - 1] == sizes[d - 1]; --d) {
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

/// The entries of `values` that `dims` names, in the order of `dims`.
Ints chosen(const Ints& values, const Ints& dims);
/// Sets the entries of `index` that `dims` names to `values`.
void place(Index& index, const Ints& dims, const Ints& values);

}  // namespace hlo
