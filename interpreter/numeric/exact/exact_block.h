#pragma once

#include <cstdint>

namespace hlo::numeric {

/// Some terms of a sum, to be added without any error a slice at a time: the
/// part of every term that lies above a common unit is taken off, and such
/// parts add exactly in double (Rump, Ogita, Oishi, 2008).
struct TermBlock {
  static constexpr int64_t kTerms = 512;

  // Products may be two doubles each.
  alignas(64) double values[2 * kTerms];   // term, times the sign of its class
  alignas(64) uint64_t signs[2 * kTerms];  // sign bit: of the negative class
  int64_t size;
  double largest;  // of the magnitudes of the values

  int64_t terms;  // not zero
  bool any_negative_zero;
  bool any_positive_zero;
};

/// Fills the block with n <= kTerms numbers; false where one of them is too
/// large, infinite or NaN.
bool load_terms(const double* terms, int64_t n, TermBlock& block);
/// Fills the block with n <= kTerms products, exactly; false where that cannot
/// be done in double: near the ends of its range, for infinities and NaN.
bool load_products(const double* a, const double* b, int64_t n,
                   TermBlock& block);

/// The sums of the upper parts of the values of both classes.
struct Slice {
  double positive;
  double negative;
};

/// Takes the parts above a unit off the values, so that at least 42 bits of the
/// largest one are gone, and adds them exactly.
Slice take_slice(TermBlock& block);

/// The sum of products, each of which is exact in double, in some order and
/// rounded at every step, and no less than the sum of their magnitudes, hardly
/// more; at most 2^16 of them.
struct RoughDot {
  double sum;
  double magnitude;
};

RoughDot rough_dot(const float* a, const float* b, int64_t n);

/// Widens n floats.
void widen(const float* source, double* target, int64_t n);

/// Adds the squares of `length` runs of n numbers, in order: sums[i] +=
/// numbers[k * n + i]^2, where n is a multiple of 4.
void add_squares(const double* numbers, int64_t length, int64_t n,
                 double* sums);

}  // namespace hlo::numeric
