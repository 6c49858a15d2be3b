#pragma once

#include <cstdint>

#include "interpreter/numeric/float_format.h"

namespace hlo::numeric {

/// A correctly rounded result and where the exact real value lies:
/// side < 0: below the rounded value, 0: equal, > 0: above. Where the format
/// has no code for the value (NaN, an overflow that becomes NaN), side is 0.
struct Rounded {
  uint64_t bits = 0;
  int side = 0;
};

/// The real functions of one argument that are correctly rounded.
enum class Function : uint8_t {
  kExponential,
  kExponential2,  // 2^x
  kExponentialMinusOne,
  kLog,
  kLog2,
  kLog10,
  kLogPlusOne,
  kTanh,
  kLogistic,  // 1 / (1 + exp(-x))
  kSqrt,
  kRsqrt,
  kCbrt,
  kSine,
  kCosine,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kAsinh,
  kAcosh,
  kAtanh,
  kErf,
  // special.h
  kErfc,
  kErfInv,
  kLgamma,  // log |Gamma(x)|
  kDigamma,
  kBesselI1e,  // exp(-|x|) I_1(x)
};

/// The last of the functions, to walk them all.
inline constexpr Function kLastFunction = Function::kBesselI1e;

/// f(x) for x given by its bits in `format`, rounded once to nearest even in
/// the same format; special values as spec/numerics.md says. The result does
/// not depend on the host.
Rounded round_function(Function function, uint64_t x,
                       const FloatFormat& format);
/// The same for arrays of the type's storage.
void round_function_array(Function function, const void* x, void* result,
                          int64_t n, const FloatFormat& format);

/// Those of two arguments.
enum class Function2 : uint8_t {
  kPower,      // x^y
  kAtan2,      // the angle of the point (y, x): the first argument is y
  kHypot,      // sqrt(x^2 + y^2)
  kPolygamma,  // the derivative of order x of digamma, at y
  kZeta,       // Hurwitz' zeta(x, y)
};

inline constexpr Function2 kLastFunction2 = Function2::kZeta;

/// f(x, y), as round_function.
Rounded round_function2(Function2 function, uint64_t x, uint64_t y,
                        const FloatFormat& format);
/// The same for arrays of the type's storage.
void round_function2_array(Function2 function, const void* x, const void* y,
                           void* result, int64_t n, const FloatFormat& format);

}  // namespace hlo::numeric
