#include "interpreter/plans/contraction/blocks/contraction_kernel.h"

#include <cstddef>
#include <cstring>
#include <vector>

#include "interpreter/numeric/format/instruction_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

template <typename T>
void multiply_plain(const T* row, int64_t row_stride, const T* tile,
                    int64_t depth, T* sums, int64_t sum_stride) {
  using V = typename Vector<T>::Type;
  constexpr size_t kRows = 4;
  constexpr size_t kLanes = 4;
  constexpr size_t kParts = kLanes * sizeof(T) / sizeof(V);
  V total[kRows][kParts] = {};
  for (int64_t k = 0; k < depth; ++k) {
    V lanes[kParts];
    std::memcpy(&lanes, tile + k * int64_t{kLanes}, sizeof(lanes));
    for (size_t r = 0; r < kRows; ++r) {
      const T factor = row[static_cast<int64_t>(r) * row_stride + k];
      for (size_t p = 0; p < kParts; ++p) total[r][p] += lanes[p] * factor;
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    T* const to = sums + static_cast<int64_t>(r) * sum_stride;
    V before[kParts];
    std::memcpy(&before, to, sizeof(before));
    for (size_t p = 0; p < kParts; ++p) before[p] += total[r][p];
    std::memcpy(to, &before, sizeof(before));
  }
}

template <typename T>
constexpr TileKernel<T> kPlain = {4, 4, multiply_plain<T>};

#if defined(__x86_64__)

// 24 registers of sums, 3 of the tile and one factor out of 32.
[[gnu::target("avx512f")]] void multiply_avx512(const double* row,
                                                int64_t row_stride,
                                                const double* tile,
                                                int64_t depth, double* sums,
                                                int64_t sum_stride) {
  __m512d total[8][3] = {};
  for (int64_t k = 0; k < depth; ++k) {
    const __m512d first = _mm512_loadu_pd(tile + 24 * k);
    const __m512d second = _mm512_loadu_pd(tile + 24 * k + 8);
    const __m512d third = _mm512_loadu_pd(tile + 24 * k + 16);
#pragma GCC unroll 8
    for (int r = 0; r < 8; ++r) {
      const __m512d factor = _mm512_set1_pd(row[r * row_stride + k]);
      total[r][0] = _mm512_fmadd_pd(first, factor, total[r][0]);
      total[r][1] = _mm512_fmadd_pd(second, factor, total[r][1]);
      total[r][2] = _mm512_fmadd_pd(third, factor, total[r][2]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < 8; ++r) {
    double* to = sums + r * sum_stride;
    _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), total[r][0]));
    _mm512_storeu_pd(to + 8,
                     _mm512_add_pd(_mm512_loadu_pd(to + 8), total[r][1]));
    _mm512_storeu_pd(to + 16,
                     _mm512_add_pd(_mm512_loadu_pd(to + 16), total[r][2]));
  }
}

// 12 registers of sums, 3 of the tile and one factor: all 16.
[[gnu::target("avx2,fma")]] void multiply_avx2(const double* row,
                                               int64_t row_stride,
                                               const double* tile,
                                               int64_t depth, double* sums,
                                               int64_t sum_stride) {
  __m256d total[4][3] = {};
  for (int64_t k = 0; k < depth; ++k) {
    const __m256d first = _mm256_loadu_pd(tile + 12 * k);
    const __m256d second = _mm256_loadu_pd(tile + 12 * k + 4);
    const __m256d third = _mm256_loadu_pd(tile + 12 * k + 8);
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) {
      const __m256d factor = _mm256_set1_pd(row[r * row_stride + k]);
      total[r][0] = _mm256_fmadd_pd(first, factor, total[r][0]);
      total[r][1] = _mm256_fmadd_pd(second, factor, total[r][1]);
      total[r][2] = _mm256_fmadd_pd(third, factor, total[r][2]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < 4; ++r) {
    double* to = sums + r * sum_stride;
    _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), total[r][0]));
    _mm256_storeu_pd(to + 4,
                     _mm256_add_pd(_mm256_loadu_pd(to + 4), total[r][1]));
    _mm256_storeu_pd(to + 8,
                     _mm256_add_pd(_mm256_loadu_pd(to + 8), total[r][2]));
  }
}

#endif

std::vector<TileKernel<double>> find_double_kernels() {
  std::vector<TileKernel<double>> kernels;
#if defined(__x86_64__)
  using numeric::InstructionSet, numeric::instruction_set;
  if (instruction_set() == InstructionSet::kAvx512) {
    kernels.push_back({24, 8, multiply_avx512});
  }
  if (instruction_set() != InstructionSet::kBaseline) {
    kernels.push_back({12, 4, multiply_avx2});
  }
#endif
  kernels.push_back(kPlain<double>);
  return kernels;
}

}  // namespace

std::span<const TileKernel<double>> double_kernels() {
  static const std::vector<TileKernel<double>> kernels = find_double_kernels();
  return kernels;
}

template <>
const TileKernel<double>& best_kernel<double>() {
  return double_kernels().front();
}

template <>
const TileKernel<uint32_t>& best_kernel<uint32_t>() {
  return kPlain<uint32_t>;
}

template <>
const TileKernel<uint64_t>& best_kernel<uint64_t>() {
  return kPlain<uint64_t>;
}

}  // namespace hlo
