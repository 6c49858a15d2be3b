#pragma once

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo {

/// The bits of these numbers as integers with one scale: their largest exponent
/// less the smallest, and those of a mantissa. Zeros, infinities and NaN do not
/// count.
int64_t bits_of_integers(std::span<const std::complex<double>> values,
                         const numeric::FloatFormat& format);

/// Evaluate error "evaluate.work" where exact elimination takes too long: the
/// product of these numbers, which is about what it costs, is above 2^42.
void require_work(std::initializer_list<int64_t> factors);

}  // namespace hlo
