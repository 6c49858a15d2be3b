#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/fourier/fourier_input.h"

namespace hlo {

/// The codes of its results, row-major as the input.
struct FourierCodes {
  std::vector<uint64_t> real;
  std::vector<uint64_t> imaginary;
};

/// Both parts of
///   sum over t of input[t] exp(-2 pi i sum over d of j[d] t[d] / lengths[d])
/// for every j, each rounded once to `format`; of the sums with the other sign
/// in the exponent, divided by the number of elements, where `inverse`. An
/// exact zero is +0. NaN in all places where an input is infinite or NaN.
FourierCodes fourier_transform(const FourierInput& input, bool inverse,
                               const numeric::FloatFormat& format);

}  // namespace hlo
