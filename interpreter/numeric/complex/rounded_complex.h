#pragma once

#include <complex>
#include <cstdint>

#include "interpreter/numeric/complex/complex_function.h"
#include "interpreter/numeric/complex/complex_parts.h"
#include "interpreter/numeric/format/float_format.h"
#include "interpreter/numeric/format/rounded_value.h"

namespace hlo::numeric {

/// f(x) for x given by the codes of its parts, each part of the result rounded
/// once; NaN is the canonical one.
RoundedComplex round_complex(ComplexFunction function, ComplexBits x,
                             const FloatFormat& component);
/// f(x, y) for x and y given by the codes of their parts, each part of the
/// result rounded once; NaN is the canonical one.
RoundedComplex round_complex2(ComplexFunction2 function, ComplexBits x,
                              ComplexBits y, const FloatFormat& component);
/// |x|, rounded once.
Rounded round_complex_abs(ComplexBits x, const FloatFormat& component);

/// The codes that round_complex gives for n numbers, in arrays of pairs
/// (re, im) of the component's storage: c64 for f32, c128 for f64.
void round_complex_array(ComplexFunction function, const void* x, void* result,
                         int64_t n, const FloatFormat& component);
/// The codes that round_complex2 gives for n pairs of numbers, in arrays of
/// pairs (re, im) of the component's storage.
void round_complex_array2(ComplexFunction2 function, const void* x,
                          const void* y, void* result, int64_t n,
                          const FloatFormat& component);
/// The codes that round_complex_abs gives for n numbers, in arrays of the
/// component's storage.
void round_complex_abs_array(const void* x, void* result, int64_t n,
                             const FloatFormat& component);

/// f(x) for one number whose parts are values of the component's format. The
/// parts of the result become the rounded ones by encode().
std::complex<double> complex_value(ComplexFunction function,
                                   std::complex<double> x,
                                   const FloatFormat& component);
/// f(x, y) for numbers whose parts are values of the component's format. The
/// parts of the result become the rounded ones by encode().
std::complex<double> complex_value2(ComplexFunction2 function,
                                    std::complex<double> x,
                                    std::complex<double> y,
                                    const FloatFormat& component);
/// |x| for a number whose parts are values of the component's format. The
/// result becomes the rounded one by encode().
double complex_abs_value(std::complex<double> x, const FloatFormat& component);

}  // namespace hlo::numeric
