#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo {

/// The bits of these numbers as integers with one scale: their largest exponent
/// less the smallest, and those of a mantissa. Zeros, infinities and NaN do not
/// count.
int64_t bits_of_integers(std::span<const std::complex<double>> values,
                         const numeric::FloatFormat& format);

}  // namespace hlo
