#include "backends/cpu/kernels/products/pair_panels.h"

#include <algorithm>
#include <stdexcept>

#include "backends/cpu/kernels/products/pair_packing.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hlo::cpu {

#if defined(__x86_64__)

namespace {

/// A tile of so many rows, whole: the result has room for it.
template <int64_t kRows>
__attribute__((target("avx512f,avx512bw,avx512bf16"))) void multiply_tile(
    const PairProduct& p, float* result, int64_t step) {
  constexpr int64_t kLanes = 16;
  __m512 low[kRows];
  __m512 high[kRows];
#pragma GCC unroll 16
  for (int64_t m = 0; m < kRows; ++m) {
    float* const from = result + m * step;
    low[m] = p.continues ? _mm512_loadu_ps(from) : _mm512_setzero_ps();
    high[m] =
        p.continues ? _mm512_loadu_ps(from + kLanes) : _mm512_setzero_ps();
  }
  const uint32_t* right = p.right;
  for (int64_t i = 0; i < p.pairs; ++i, right += 2 * kLanes) {
    const auto y = reinterpret_cast<__m512bh>(_mm512_loadu_si512(right));
    const auto z =
        reinterpret_cast<__m512bh>(_mm512_loadu_si512(right + kLanes));
#pragma GCC unroll 16
    for (int64_t m = 0; m < kRows; ++m) {
      const auto x = reinterpret_cast<__m512bh>(
          _mm512_set1_epi32(static_cast<int>(p.left[m * p.left_step + i])));
      low[m] = _mm512_dpbf16_ps(low[m], x, y);
      high[m] = _mm512_dpbf16_ps(high[m], x, z);
    }
  }
#pragma GCC unroll 16
  for (int64_t m = 0; m < kRows; ++m) {
    _mm512_storeu_ps(result + m * step, low[m]);
    _mm512_storeu_ps(result + m * step + kLanes, high[m]);
  }
}

/// The tile with as many rows as are wanted.
template <int64_t kRows>
void multiply_some(const PairProduct& p, float* result, int64_t step) {
  if constexpr (kRows > 0) {
    if (p.rows == kRows) return multiply_tile<kRows>(p, result, step);
    multiply_some<kRows - 1>(p, result, step);
  }
}

}  // namespace

bool has_pair_products() {
  static const bool has = __builtin_cpu_supports("avx512bf16") != 0;
  return has && has_widest_vectors();
}

void multiply_pair_panels(const PairProduct& p) {
  if (p.columns == kPairColumns) {
    return multiply_some<kPairRows>(p, p.result, p.result_step);
  }
  float tile[kPairRows * kPairColumns] = {};
  for (int64_t m = 0; p.continues && m < p.rows; ++m) {
    std::copy_n(p.result + m * p.result_step, p.columns,
                tile + m * kPairColumns);
  }
  multiply_some<kPairRows>(p, tile, kPairColumns);
  for (int64_t m = 0; m < p.rows; ++m) {
    std::copy_n(tile + m * kPairColumns, p.columns,
                p.result + m * p.result_step);
  }
}

#else

bool has_pair_products() { return false; }

void multiply_pair_panels(const PairProduct& /*product*/) {
  throw std::logic_error("this machine has no products of pairs");
}

#endif

}  // namespace hlo::cpu
