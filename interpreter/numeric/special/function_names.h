#pragma once

#include <cstdint>

namespace hlo::numeric {

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

/// The real functions of two arguments that are correctly rounded.
enum class Function2 : uint8_t {
  kPower,      // x^y
  kAtan2,      // the angle of the point (y, x): the first argument is y
  kHypot,      // sqrt(x^2 + y^2)
  kPolygamma,  // the derivative of order x of digamma, at y
  kZeta,       // Hurwitz' zeta(x, y)
};

/// The last of the functions of two arguments, to walk them all.
inline constexpr Function2 kLastFunction2 = Function2::kZeta;

}  // namespace hlo::numeric
