#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hlo {

/// dense[i] = source[positions[i]], of elements of `bytes` bytes.
void gather_elements(int bytes, const std::byte* source,
                     const std::vector<int64_t>& positions, std::byte* dense);
/// target[positions[i]] = dense[i].
void spread_elements(int bytes, const std::byte* dense,
                     const std::vector<int64_t>& positions, std::byte* target);

}  // namespace hlo
