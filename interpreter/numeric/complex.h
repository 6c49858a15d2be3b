#pragma once

#include <complex>
#include <cstdint>

#include "interpreter/numeric/float_format.h"
#include "interpreter/numeric/rounded.h"

namespace hlo::numeric {

/// A complex number: the codes of its parts in the component's format.
struct ComplexBits {
  uint64_t re = 0;
  uint64_t im = 0;
};

struct RoundedComplex {
  Rounded re;
  Rounded im;

  ComplexBits bits() const { return {re.bits, im.bits}; }
};

/// Functions of one complex number. Each part of the result is the exact part
/// rounded once; special values follow Annex G of C (spec/numerics.md).
enum class ComplexFunction : uint8_t {
  kNegate,
  kSign,  // z / |z|; 0 for 0
  kSqrt,
  kRsqrt,
  kExponential,
  kLog,
  kTanh,
  kLogistic,
  kExponential2,  // 2^z
  kExponentialMinusOne,
  kLog2,
  kLog10,
  kLogPlusOne,
  kSine,
  kCosine,
  kTan,
  kSinh,
  kCosh,
  kAsin,
  kAcos,
  kAtan,
  kAsinh,
  kAcosh,
  kAtanh,
  kCbrt,            // the principal cube root, of an angle in (-pi/3, pi/3]
  kAsinAcosKernel,  // re sqrt(1 - z^2) + i |im asin z|
};

/// The last of the functions, to walk them all.
inline constexpr ComplexFunction kLastComplexFunction =
    ComplexFunction::kAsinAcosKernel;

enum class ComplexFunction2 : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,  // x^y = exp(y log x)
  kAtan2,  // -i log((y + ix) / sqrt(x^2 + y^2))
};

RoundedComplex round_complex(ComplexFunction function, ComplexBits x,
                             const FloatFormat& component);
RoundedComplex round_complex2(ComplexFunction2 function, ComplexBits x,
                              ComplexBits y, const FloatFormat& component);
/// |x|, rounded once.
Rounded round_complex_abs(ComplexBits x, const FloatFormat& component);

/// The same for arrays of pairs (re, im) of the component's storage: c64 for
/// f32, c128 for f64.
void round_complex_array(ComplexFunction function, const void* x, void* result,
                         int64_t n, const FloatFormat& component);
void round_complex_array2(ComplexFunction2 function, const void* x,
                          const void* y, void* result, int64_t n,
                          const FloatFormat& component);
void round_complex_abs_array(const void* x, void* result, int64_t n,
                             const FloatFormat& component);

/// The same for one number whose parts are values of the component's format.
/// The parts of the result become the rounded ones by encode().
std::complex<double> complex_value(ComplexFunction function,
                                   std::complex<double> x,
                                   const FloatFormat& component);
std::complex<double> complex_value2(ComplexFunction2 function,
                                    std::complex<double> x,
                                    std::complex<double> y,
                                    const FloatFormat& component);
double complex_abs_value(std::complex<double> x, const FloatFormat& component);

}  // namespace hlo::numeric
