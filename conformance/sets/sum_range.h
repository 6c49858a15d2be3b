#pragma once

#include <cstdint>

#include "conformance/levels/profile.h"
#include "conformance/sets/component_range.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {

/// Where rounding errors of a sum can come from.
struct SumErrors {
  bool exact = false;     // every partial sum of every order is representable
  bool products = false;  // the terms are products, rounded themselves
  /// 2^-p of the least precise type that partial sums may have, where that is
  /// not the result's.
  double unit = 0;
  /// Relative error that the terms may have before they are summed, because
  /// operands were rounded to a narrower type.
  double of_terms = 0;
  /// Absolute error besides, of terms that end below the normal numbers.
  double of_subnormal_terms = 0;
  /// How it is accumulated, and from operands of which type.
  Accumulation accumulation = Accumulation::kWideAny;
  ElementType operand = ElementType::kF32;
  /// Subnormal terms and partial sums may count as zero: what factors that
  /// are flushed take from the products besides.
  bool flushes = false;
  double of_flushed_factors = 0;
};

/// Where the profile lets rounding errors of a sum come from, whose operands
/// have that type.
SumErrors sum_errors(const Profile& profile, ElementType operand);
/// Whether sums of terms that are multiples of 2^quantum may be exact in every
/// order under the profile: nothing is flushed, no operand is narrowed.
bool may_be_exact(const Profile& profile, int64_t quantum,
                  const numeric::FloatFormat& format);

/// Any order, any tree, every step rounded to `format` or to anything finer
/// (spec/numerics.md, Sums).
ComponentRange sum_range(const numeric::ExactSum& sum,
                         const numeric::FloatFormat& format,
                         const SumErrors& errors);

/// Where a sum may lie whose terms may each lie anywhere between two numbers:
/// `low` and `high` sum the ends, `magnitudes` the larger magnitudes of both.
ComponentRange sum_range(const numeric::ExactSum& low,
                         const numeric::ExactSum& high,
                         const numeric::ExactSum& magnitudes,
                         const numeric::FloatFormat& format,
                         const SumErrors& errors);

/// The codes within error 2^unit of the sum, both ends included, without regard
/// to overflow on the way.
ComponentRange range_around(const numeric::ExactSum& sum, double error,
                            const numeric::FloatFormat& format, int unit = 0);

/// The codes within error 2^unit of the sum, where infinity counts as the
/// number one step above the largest (spec/conformance.md, Levels and axes).
ComponentRange range_with_infinity(const numeric::ExactSum& sum, double error,
                                   const numeric::FloatFormat& format,
                                   int unit = 0);

/// The codes within `error` of the code's number.
ComponentRange range_around(uint64_t value, double error,
                            const numeric::FloatFormat& format);
/// Every code of the format: an empty bound.
ComponentRange whole_range(uint64_t value, const numeric::FloatFormat& format);

}  // namespace hlo::conformance
