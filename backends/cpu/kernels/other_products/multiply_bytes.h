#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace hlo::cpu {

/// The left matrix of a product: rows of integers of 8 bits.
struct ByteRows {
  int64_t count = 0;
  bool is_signed = true;
  /// Writes numbers k ... k + depth - 1 of so many rows, as they are, one row
  /// `step` bytes behind the other.
  std::function<void(int64_t first, int64_t rows, int64_t k, int64_t depth,
                     int64_t step, uint8_t* to)>
      read;
};

/// The right matrix: element (k, n) is first[depth[k] + columns[n]].
struct ByteColumns {
  const std::byte* first = nullptr;
  bool is_signed = true;
  std::span<const int64_t> depth;
  std::span<const int64_t> columns;
};

/// result[m * step + n] = the sum of products, modulo 2^32.
void multiply_bytes(const ByteRows& left, const ByteColumns& right,
                    int32_t* result, int64_t step);

}  // namespace hlo::cpu
