#pragma once

#include <cstdint>

#include "conformance/sets/expectation.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// The set of which each element has one value.
IntervalSet single_values(const Literal& reference);
/// Writes the range of a component of element i into the set.
void put(IntervalSet& set, int64_t i, int part, const ComponentRange& range);

/// Whether nothing is asked: everything observed is the reference's.
bool is_same(const Literal& reference, const Literal* observed);

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

}  // namespace hlo::conformance
