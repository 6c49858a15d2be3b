#pragma once

#include <cstdint>

#include "interpreter/model/literal.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {

/// The exponent of the lowest bit that is set: 12 = 3 * 2^2 gives 2. INT32_MAX
/// for 0, infinities and NaN, which constrain nothing.
int lowest_bit(double value);
/// The exponent of the largest power of two that divides every element;
/// INT32_MAX where all are zero.
int quantum(const Literal& literal);
/// Whether all partial sums of terms that are multiples of 2^quantum are codes
/// of the format (spec/numerics.md, Sums).
bool is_exact_class(const numeric::ExactSum& sum, int64_t quantum,
                    const numeric::FloatFormat& format);
/// The relative error of rounding an element of type `from` to `to`; 0 where
/// `to` holds every value of `from`.
double conversion_error(ElementType from, ElementType to);
/// The relative error of products of elements of both types, where both are
/// rounded to `to`, or are not.
double product_error(ElementType a, ElementType b, ElementType to);
/// Whether a number x and y, what it is converted to, differ by more than a
/// rounding to the format does, relative to y: the range ends between them, or
/// normal numbers do.
bool is_far(double x, double y, const numeric::FloatFormat& format);

}  // namespace hlo::conformance
