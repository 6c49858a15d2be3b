#include "interpreter/contraction_kernel.h"

#include <cstddef>
#include <cstring>

namespace hlo {
namespace {

// Vectors of 16 bytes are in the baseline of every 64-bit machine.
template <typename T>
struct Vector;

template <>
struct Vector<double> {
  using Type [[gnu::vector_size(16)]] = double;
};

template <>
struct Vector<uint32_t> {
  using Type [[gnu::vector_size(16)]] = uint32_t;
};

template <>
struct Vector<uint64_t> {
  using Type [[gnu::vector_size(16)]] = uint64_t;
};

template <typename T, size_t kRows>
void multiply_rows(const T* rows, size_t row_stride, const T* tile,
                   size_t depth, T* sums, size_t sum_stride) {
  using V = typename Vector<T>::Type;
  constexpr size_t kWidth = sizeof(V) / sizeof(T);
  constexpr size_t kParts = size_t{kLanes} / kWidth;
  V total[kRows][kParts];
  for (size_t r = 0; r < kRows; ++r) {
    std::memcpy(&total[r], sums + r * sum_stride, sizeof(total[r]));
  }
  for (size_t k = 0; k < depth; ++k) {
    V lanes[kParts];
    std::memcpy(&lanes, tile + k * size_t{kLanes}, sizeof(lanes));
    for (size_t r = 0; r < kRows; ++r) {
      const T factor = rows[r * row_stride + k];
      for (size_t p = 0; p < kParts; ++p) total[r][p] += lanes[p] * factor;
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    std::memcpy(sums + r * sum_stride, &total[r], sizeof(total[r]));
  }
}

}  // namespace

template <typename T>
void multiply_tile(const T* rows, int64_t row_count, int64_t row_stride,
                   const T* tile, int64_t depth, T* sums, int64_t sum_stride) {
  constexpr int64_t kRows = 4;
  const auto stride = static_cast<size_t>(row_stride);
  const auto skip = static_cast<size_t>(sum_stride);
  const auto terms = static_cast<size_t>(depth);
  int64_t r = 0;
  for (; r + kRows <= row_count; r += kRows) {
    multiply_rows<T, kRows>(rows + r * row_stride, stride, tile, terms,
                            sums + r * sum_stride, skip);
  }
  for (; r < row_count; ++r) {
    multiply_rows<T, 1>(rows + r * row_stride, stride, tile, terms,
                        sums + r * sum_stride, skip);
  }
}

template void multiply_tile(const double*, int64_t, int64_t, const double*,
                            int64_t, double*, int64_t);
template void multiply_tile(const uint32_t*, int64_t, int64_t, const uint32_t*,
                            int64_t, uint32_t*, int64_t);
template void multiply_tile(const uint64_t*, int64_t, int64_t, const uint64_t*,
                            int64_t, uint64_t*, int64_t);

}  // namespace hlo
