#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo {

/// What is known of the factor of a Hermitian matrix.
struct BoundedFactor {
  enum class Kind : uint8_t {
    kKnown,        // all of its elements, rounded once
    kNotPositive,  // the matrix is not positive definite: there is none
    kOpen,         // neither, with so many bits
  };

  Kind kind = Kind::kOpen;
  std::vector<numeric::ComplexBits> elements = {};  // row after row
};

/// The factor of the matrix of which this is the lower triangle, row after row,
/// in numbers of some hundred bits with a bound for each error.
BoundedFactor factor_with_bounds(const std::vector<std::complex<double>>& lower,
                                 int64_t n, const numeric::FloatFormat& format);

}  // namespace hlo
