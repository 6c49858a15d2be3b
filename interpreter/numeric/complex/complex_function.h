#pragma once

#include <cstdint>

namespace hlo::numeric {

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

/// Functions of two complex numbers, rounded part by part.
enum class ComplexFunction2 : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,  // x^y = exp(y log x)
  kAtan2,  // -i log((y + ix) / sqrt(x^2 + y^2))
};

}  // namespace hlo::numeric
