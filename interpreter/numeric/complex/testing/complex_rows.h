#pragma once

#include <cmath>

#include "interpreter/numeric/complex/complex_function.h"

// What the tests of complex functions share; no program includes it.
namespace hlo::numeric::testing {

/// f(re + i im) = result_re + i result_im.
struct Row {
  ComplexFunction function;
  double re, im, result_re, result_im;
};

/// Equal with the sign of zero, or both NaN.
inline bool same(double actual, double expected) {
  if (std::isnan(expected)) return std::isnan(actual);
  return actual == expected && std::signbit(actual) == std::signbit(expected);
}

}  // namespace hlo::numeric::testing
