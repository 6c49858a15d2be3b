#include "backends/cpu/kernels/other_products/quad_panels.h"

#include <algorithm>

#include "backends/cpu/kernels/products/pair_packing.h"
#include "backends/vector_targets.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/other_products/quad_panels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<int32_t> kInts;
using Ints = hn::Vec<decltype(kInts)>;

constexpr auto kLanes = static_cast<int64_t>(HWY_LANES(int32_t));
constexpr int64_t kTogether = 4;  // rows whose sums stay in registers

/// Words of two halves of 16 bits with the bytes 0 and 2, and 1 and 3.
struct Halves {
  Ints even;
  Ints odd;
};

#if HWY_TARGET == HWY_AVX3

Halves signed_halves(Ints words) {
  return {Ints{_mm512_srai_epi16(_mm512_slli_epi16(words.raw, 8), 8)},
          Ints{_mm512_srai_epi16(words.raw, 8)}};
}

Ints with_products(Ints sum, Ints x, Ints y) {
  return hn::Add(sum, Ints{_mm512_madd_epi16(x.raw, y.raw)});
}

#elif HWY_TARGET == HWY_AVX2

Halves signed_halves(Ints words) {
  return {Ints{_mm256_srai_epi16(_mm256_slli_epi16(words.raw, 8), 8)},
          Ints{_mm256_srai_epi16(words.raw, 8)}};
}

Ints with_products(Ints sum, Ints x, Ints y) {
  return hn::Add(sum, Ints{_mm256_madd_epi16(x.raw, y.raw)});
}

#else

/// The half of each word as a number: 0 the low one.
template <int kHalf>
Ints half_of(Ints words) {
  return hn::ShiftRight<16>(hn::ShiftLeft<16 - 16 * kHalf>(words));
}

template <int kByte>
Ints byte_of(Ints words) {
  return hn::ShiftRight<24>(hn::ShiftLeft<24 - 8 * kByte>(words));
}

Ints joined(Ints low, Ints high) {
  return hn::Or(hn::And(low, hn::Set(kInts, 0xffff)), hn::ShiftLeft<16>(high));
}

Halves signed_halves(Ints words) {
  return {joined(byte_of<0>(words), byte_of<2>(words)),
          joined(byte_of<1>(words), byte_of<3>(words))};
}

Ints with_products(Ints sum, Ints x, Ints y) {
  return hn::Add(sum, hn::Add(hn::Mul(half_of<0>(x), half_of<0>(y)),
                              hn::Mul(half_of<1>(x), half_of<1>(y))));
}

#endif

/// One vector of columns of so many rows.
template <int64_t kRows>
void add_rows(const QuadProduct& p, int64_t first, int64_t column,
              int32_t* result, int64_t step) {
  Ints sums[kRows];
#pragma GCC unroll 4
  for (int64_t m = 0; m < kRows; ++m) {
    sums[m] = hn::LoadU(kInts, result + (first + m) * step + column);
  }
  const auto* const right = reinterpret_cast<const int32_t*>(p.right) + column;
  const uint32_t* const left = p.left + first * p.left_step;
  for (int64_t q = 0; q < p.quads; ++q) {
    const Halves y = signed_halves(hn::LoadU(kInts, right + q * kQuadColumns));
#pragma GCC unroll 4
    for (int64_t m = 0; m < kRows; ++m) {
      const uint32_t x = left[m * p.left_step + q];
      const auto even = static_cast<int32_t>(x & 0x00ff00ff);
      const auto odd = static_cast<int32_t>(x >> 8 & 0x00ff00ff);
      sums[m] = with_products(sums[m], hn::Set(kInts, even), y.even);
      sums[m] = with_products(sums[m], hn::Set(kInts, odd), y.odd);
    }
  }
#pragma GCC unroll 4
  for (int64_t m = 0; m < kRows; ++m) {
    hn::StoreU(sums[m], kInts, result + (first + m) * step + column);
  }
}

/// All kQuadColumns columns, for which the result has room.
void add_tile(const QuadProduct& p, int32_t* result, int64_t step) {
  for (int64_t column = 0; column < kQuadColumns; column += kLanes) {
    int64_t m = 0;
    for (; m + kTogether <= p.rows; m += kTogether) {
      add_rows<kTogether>(p, m, column, result, step);
    }
    for (; m < p.rows; ++m) add_rows<1>(p, m, column, result, step);
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(add_tile);

#if defined(__x86_64__)

/// The tile of so many rows by AVX512-VNNI.
template <int64_t kRows>
__attribute__((target("avx512f,avx512bw,avx512vnni"))) void add_rows(
    const QuadProduct& p, int32_t* result, int64_t step) {
  constexpr int64_t kWords = 16;  // of a vector
  __m512i low[kRows];
  __m512i high[kRows];
#pragma GCC unroll 16
  for (int64_t m = 0; m < kRows; ++m) {
    low[m] = _mm512_loadu_si512(result + m * step);
    high[m] = _mm512_loadu_si512(result + m * step + kWords);
  }
  const uint32_t* right = p.right;
  for (int64_t q = 0; q < p.quads; ++q, right += kQuadColumns) {
    const __m512i y = _mm512_loadu_si512(right);
    const __m512i z = _mm512_loadu_si512(right + kWords);
#pragma GCC unroll 16
    for (int64_t m = 0; m < kRows; ++m) {
      const __m512i x =
          _mm512_set1_epi32(static_cast<int>(p.left[m * p.left_step + q]));
      low[m] = _mm512_dpbusd_epi32(low[m], x, y);
      high[m] = _mm512_dpbusd_epi32(high[m], x, z);
    }
  }
#pragma GCC unroll 16
  for (int64_t m = 0; m < kRows; ++m) {
    _mm512_storeu_si512(result + m * step, low[m]);
    _mm512_storeu_si512(result + m * step + kWords, high[m]);
  }
}

/// The tile with as many rows as are wanted.
template <int64_t kRows>
void add_by_machine(const QuadProduct& p, int32_t* result, int64_t step) {
  if constexpr (kRows > 0) {
    if (p.rows == kRows) return add_rows<kRows>(p, result, step);
    add_by_machine<kRows - 1>(p, result, step);
  }
}

#endif

void add_whole(const QuadProduct& p, int32_t* result, int64_t step) {
#if defined(__x86_64__)
  if (has_quad_products()) {
    return add_by_machine<kQuadRows>(p, result, step);
  }
#endif
  HWY_DYNAMIC_DISPATCH(add_tile)(p, result, step);
}

}  // namespace

bool has_quad_products() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx512vnni") != 0;
  return has && has_widest_vectors();
#else
  return false;
#endif
}

void multiply_quad_panels(const QuadProduct& p) {
  if (p.columns == kQuadColumns) {
    return add_whole(p, p.result, p.result_step);
  }
  int32_t tile[kQuadRows * kQuadColumns] = {};
  for (int64_t m = 0; m < p.rows; ++m) {
    std::copy_n(p.result + m * p.result_step, p.columns,
                tile + m * kQuadColumns);
  }
  add_whole(p, tile, kQuadColumns);
  for (int64_t m = 0; m < p.rows; ++m) {
    std::copy_n(tile + m * kQuadColumns, p.columns,
                p.result + m * p.result_step);
  }
}

}  // namespace hlo::cpu

#endif
