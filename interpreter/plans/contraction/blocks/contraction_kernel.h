#pragma once

#include <cstdint>
#include <span>

namespace hlo {

/// The innermost loop of contractions. Vectors of a tile lie interleaved:
/// element k of vector v at k * lanes + v.
template <typename T>
struct TileKernel {
  int64_t lanes;  // vectors of a tile
  int64_t rows;   // rows at once
  /// For each row r < rows and lane v < lanes:
  ///   sums[r * sum_stride + v] += sum over k of
  ///       row[r * row_stride + k] * tile[k * lanes + v],
  /// which is added when it is complete.
  /// T is double (in order of k, fused or not), uint32_t or uint64_t
  /// (wrapping).
  void (*multiply)(const T* row, int64_t row_stride, const T* tile,
                   int64_t depth, T* sums, int64_t sum_stride);
};

/// The fastest kernel for this machine. Kernels of double round differently.
template <typename T>
const TileKernel<T>& best_kernel();

/// All kernels that run on this machine, the fastest first.
std::span<const TileKernel<double>> double_kernels();

}  // namespace hlo
