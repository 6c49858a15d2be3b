#pragma once

#include <cstdint>

namespace hlo {

/// Vectors of a tile lie interleaved: element k of vector v at k * kLanes + v.
inline constexpr int64_t kLanes = 4;

/// For each row r and lane v:
///   sums[r * sum_stride + v] += sum over k of
///       rows[r * row_stride + k] * tile[k * kLanes + v].
/// T is double (any order of additions), uint32_t or uint64_t (wrapping).
template <typename T>
void multiply_tile(const T* rows, int64_t row_count, int64_t row_stride,
                   const T* tile, int64_t depth, T* sums, int64_t sum_stride);

}  // namespace hlo
