#include "interpreter/numeric/exact/exact_block.h"

#include <bit>
#include <cmath>

#include "interpreter/numeric/exact/double_double.h"
#include "interpreter/numeric/format/instruction_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Loops whose additions are exact, or whose order is free, are left to the
// compiler: it may reorder them (omp simd), and the processor decides how wide
// the vectors are.

namespace hlo::numeric {
namespace {

constexpr uint64_t kSign = uint64_t{1} << 63;
constexpr uint64_t kLowHalf = (uint64_t{1} << 27) - 1;
constexpr double kHuge = 0x1p990;
constexpr double kTiny = 0x1p-900;

uint64_t bits_of(double x) { return std::bit_cast<uint64_t>(x); }

double with_sign(double x, uint64_t sign) {
  return std::bit_cast<double>(bits_of(x) ^ sign);
}

struct LoadTerms {
  [[gnu::always_inline]] static bool run(const double* terms, int64_t n,
                                         TermBlock* block) {
    double largest = 0;
    double bad = 0;
    double zeros = 0;
    double zero_signs = 0;  // of the positive less the negative zeros
#pragma omp simd reduction(max : largest) reduction(+ : bad, zeros, zero_signs)
    for (int64_t i = 0; i < n; ++i) {
      const double value = std::fabs(terms[i]);
      block->values[i] = value;
      block->signs[i] = bits_of(terms[i]) & kSign;
      largest = value > largest ? value : largest;
      bad += value < kHuge ? 0.0 : 1.0;
      zeros += value == 0 ? 1.0 : 0.0;
      zero_signs += value == 0 ? std::copysign(1.0, terms[i]) : 0.0;
    }
    block->size = n;
    block->largest = largest;
    block->terms = n - static_cast<int64_t>(zeros);
    block->any_negative_zero = zero_signs < zeros;
    block->any_positive_zero = -zero_signs < zeros;
    return bad == 0;
  }
};

/// The rounded products; whether nothing but their rounding errors is lost.
[[gnu::always_inline]] inline bool products_body(const double* a,
                                                 const double* b, int64_t n,
                                                 TermBlock& block,
                                                 uint64_t& low_bits) {
  double lost = 0;
  uint64_t low = 0;
  double products[TermBlock::kTerms];
#pragma omp simd reduction(+ : lost) reduction(| : low)
  for (int64_t i = 0; i < n; ++i) {
    products[i] = a[i] * b[i];
    low |= bits_of(a[i]) | bits_of(b[i]);
    const double magnitude = std::fabs(products[i]);
    // Without short circuits, which would be branches.
    const bool zero = ((a[i] == 0) | (b[i] == 0)) & (magnitude == 0);
    const bool fits = (magnitude > kTiny) & (std::fabs(a[i]) < kHuge) &
                      (std::fabs(b[i]) < kHuge);
    lost += (zero | fits) ? 0.0 : 1.0;
  }
  low_bits = low & kLowHalf;
  return LoadTerms::run(products, n, &block) && lost == 0;
}

[[gnu::always_inline]] inline void errors_body(const double* a, const double* b,
                                               int64_t n, TermBlock& block) {
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t sign = block.signs[i];
    // Exact, as all factors are below kHuge and all products above kTiny or 0.
    const double error = two_product<Product::kSplit>(a[i], b[i]).lo;
    block.values[n + i] = with_sign(error, sign);
    block.signs[n + i] = sign;
  }
  block.size = 2 * n;
}

struct LoadProducts {
  [[gnu::always_inline]] static bool run(const double* a, const double* b,
                                         int64_t n, TermBlock* block) {
    uint64_t low_bits = 0;
    if (!products_body(a, b, n, *block, low_bits)) return false;
    // Factors of at most 26 bits have exact products.
    if (low_bits != 0) errors_body(a, b, n, *block);
    return true;
  }
};

/// With all values below 2^e in magnitude, sigma = 2^(e + 11) and at most
/// 2^10 values: v + sigma rounds v to a multiple of sigma 2^-53, which is
/// subtracted exactly and leaves at most sigma 2^-53 = 2^(e - 42). Sums of such
/// multiples stay below sigma / 2 and are exact; so are the sum and difference
/// of two of them, which are even multiples.
struct TakeSlice {
  [[gnu::always_inline]] static Slice run(TermBlock* block) {
    const int exponent = std::ilogb(block->largest) + 1;
    const double sigma = std::ldexp(1.0, exponent + 11);
    const int64_t n = block->size;
    double total = 0;
    double difference = 0;
    double largest = 0;
#pragma omp simd reduction(+ : total, difference) reduction(max : largest)
    for (int64_t i = 0; i < n; ++i) {
      const double value = block->values[i];
      const double part = (value + sigma) - sigma;
      const double rest = value - part;
      block->values[i] = rest;
      total += part;
      difference += with_sign(part, block->signs[i]);
      largest = std::fabs(rest) > largest ? std::fabs(rest) : largest;
    }
    block->largest = largest;
    return {(total + difference) / 2, (total - difference) / 2};
  }
};

// Up to 2^16 additions of magnitudes lose less than one in 2^36.
struct Rough {
  [[gnu::always_inline]] static RoughDot run(const float* a, const float* b,
                                             int64_t n) {
    double sum = 0;
    double magnitude = 0;
#pragma omp simd reduction(+ : sum, magnitude)
    for (int64_t i = 0; i < n; ++i) {
      const double product =
          static_cast<double>(a[i]) * static_cast<double>(b[i]);
      sum += product;
      magnitude += std::fabs(product);
    }
    return {sum, magnitude * (1 + 0x1p-30)};
  }
};

struct Widen {
  [[gnu::always_inline]] static void run(const float* source, double* target,
                                         int64_t n) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) target[i] = static_cast<double>(source[i]);
  }
};

/// So many sums at once stay in registers.
struct AddSquares {
  [[gnu::always_inline]] static void run(const double* numbers, int64_t length,
                                         int64_t n, double* sums) {
    constexpr int64_t kAtOnce = 4;
    for (int64_t first = 0; first < n; first += kAtOnce) {
      double totals[kAtOnce] = {};
      const double* from = numbers + first;
      for (int64_t k = 0; k < length; ++k, from += n) {
#pragma omp simd
        for (int64_t i = 0; i < kAtOnce; ++i) totals[i] += from[i] * from[i];
      }
      for (int64_t i = 0; i < kAtOnce; ++i) sums[first + i] += totals[i];
    }
  }
};

#if defined(__x86_64__)
// The magnitudes are summed in float: 2^12 products and additions in each of 16
// lanes err by less than 2^-11, and products that underflow by 2^-150 each.
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl")]] RoughDot rough_avx512(
    const float* a, const float* b, int64_t n) {
  constexpr __mmask8 kAll = 0xff;  // g++ 12 warns of the form without a mask
  __m512d sums[4] = {_mm512_setzero_pd(), _mm512_setzero_pd(),
                     _mm512_setzero_pd(), _mm512_setzero_pd()};
  __m512 magnitudes[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
#pragma GCC unroll 4
    for (int64_t part = 0; part < 4; ++part) {
      const int64_t at = i + 8 * part;
      sums[part] = _mm512_fmadd_pd(
          _mm512_maskz_cvtps_pd(kAll, _mm256_loadu_ps(a + at)),
          _mm512_maskz_cvtps_pd(kAll, _mm256_loadu_ps(b + at)), sums[part]);
    }
#pragma GCC unroll 2
    for (int64_t half = 0; half < 2; ++half) {
      const int64_t at = i + 16 * half;
      const __m512 product =
          _mm512_mul_ps(_mm512_loadu_ps(a + at), _mm512_loadu_ps(b + at));
      magnitudes[half] =
          _mm512_add_ps(magnitudes[half], _mm512_abs_ps(product));
    }
  }
  double lanes[8];
  float float_lanes[16];
  _mm512_storeu_pd(lanes, _mm512_add_pd(_mm512_add_pd(sums[0], sums[1]),
                                        _mm512_add_pd(sums[2], sums[3])));
  _mm512_storeu_ps(float_lanes, _mm512_add_ps(magnitudes[0], magnitudes[1]));
  RoughDot dot = Rough::run(a + i, b + i, n - i);
  for (const double lane : lanes) dot.sum += lane;
  for (const float lane : float_lanes) {
    dot.magnitude += static_cast<double>(lane);
  }
  dot.magnitude *= 1 + 0x1p-10;
  dot.magnitude += static_cast<double>(n) * 0x1p-149;
  return dot;
}
#endif

}  // namespace

bool load_terms(const double* terms, int64_t n, TermBlock& block) {
  return run_on_vectors<LoadTerms>(terms, n, &block);
}

bool load_products(const double* a, const double* b, int64_t n,
                   TermBlock& block) {
  return run_on_vectors<LoadProducts>(a, b, n, &block);
}

Slice take_slice(TermBlock& block) { return run_on_vectors<TakeSlice>(&block); }

RoughDot rough_dot(const float* a, const float* b, int64_t n) {
#if defined(__x86_64__)
  if (instruction_set() == InstructionSet::kAvx512) {
    return rough_avx512(a, b, n);
  }
#endif
  return run_on_vectors<Rough>(a, b, n);
}

void widen(const float* source, double* target, int64_t n) {
  run_on_vectors<Widen>(source, target, n);
}

void add_squares(const double* numbers, int64_t length, int64_t n,
                 double* sums) {
  run_on_vectors<AddSquares>(numbers, length, n, sums);
}

}  // namespace hlo::numeric
