#pragma once

#include <complex>

#include "interpreter/numeric/complex/complex_function.h"

namespace hlo::numeric {

/// The rounded function of a number of type c64, whose parts are floats; NaN in
/// a part means that it has to be found otherwise. Neither is 0 or infinite.
std::complex<double> narrow_value(ComplexFunction function,
                                  std::complex<double> z);
/// x^y rounded for numbers of type c64, whose parts are floats; NaN in a part
/// means that it has to be found otherwise.
std::complex<double> narrow_power(std::complex<double> x,
                                  std::complex<double> y);

}  // namespace hlo::numeric
