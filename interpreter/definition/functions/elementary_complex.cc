#include "interpreter/definition/functions/elementary_complex.h"

#include <stdexcept>

#include "interpreter/definition/functions/composed_complex.h"
#include "interpreter/definition/functions/mpc_functions.h"
#include "interpreter/definition/functions/principal_angle.h"
#include "interpreter/definition/functions/principal_power.h"
#include "interpreter/definition/functions/real_functions.h"
#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {
namespace {

using enum ComplexFunction;

struct Row {
  ComplexFunction function;
  Complex (*evaluate)(const Complex& z);
};

constexpr Row kRows[] = {
    {kSign, sign},
    {kSqrt, sqrt},
    {kRsqrt, rsqrt},
    {kExponential, exp},
    {kLog, log},
    {kTanh, tanh},
    {kLogistic, logistic},
    {kExponential2, exp2},
    {kExponentialMinusOne, expm1},
    {kLog2, log2},
    {kLog10, log10},
    {kLogPlusOne, log1p},
    {kSine, sin},
    {kCosine, cos},
    {kTan, tan},
    {kSinh, sinh},
    {kCosh, cosh},
    {kAsin, asin},
    {kAcos, acos},
    {kAtan, atan},
    {kAsinh, asinh},
    {kAcosh, acosh},
    {kAtanh, atanh},
    {kCbrt, cbrt},
    {kAsinAcosKernel, arc_kernel},
};

Complex without_signs_of_nan(const Complex& z) {
  const auto part = [](const Real& x) { return isnan(x) ? Real::nan() : x; };
  return {part(z.re), part(z.im)};
}

}  // namespace

Complex evaluate(ComplexFunction function, const Complex& z) {
  for (const Row& row : kRows) {
    if (row.function == function) return row.evaluate(z);
  }
  throw std::logic_error("not a function of one complex number");
}

Complex evaluate(ComplexFunction2 function, const Complex& z,
                 const Complex& w) {
  switch (function) {
    case ComplexFunction2::kAdd:
      return z + w;
    case ComplexFunction2::kSubtract:
      return z - w;
    case ComplexFunction2::kMultiply:
      return z * w;
    case ComplexFunction2::kDivide:
      return z / w;
    case ComplexFunction2::kPower:
      return pow(z, w);
    case ComplexFunction2::kAtan2:
      return atan2(z, w);
  }
  throw std::logic_error("not a function of two complex numbers");
}

ComplexCode round_function(ComplexFunction function, ComplexCode z,
                           ElementType type) {
  const Complex x = decode(z, type);
  if (function == kNegate) return encode(-x, type);
  return encode(without_signs_of_nan(evaluate(function, x)), type);
}

ComplexCode round_function2(ComplexFunction2 function, ComplexCode z,
                            ComplexCode w, ElementType type) {
  const Complex value = evaluate(function, decode(z, type), decode(w, type));
  return encode(without_signs_of_nan(value), type);
}

uint64_t round_magnitude(ComplexCode z, ElementType type) {
  const Complex x = decode(z, type);
  return encode(rounded_to_odd(Function2::kHypot, x.re, x.im),
                component_type(type));
}

}  // namespace hlo::definition
