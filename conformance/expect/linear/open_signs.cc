#include "conformance/expect/linear/open_signs.h"

#include <cmath>

namespace hlo::conformance {
namespace {

using numeric::ComplexFunction;
using Signs = std::array<bool, 2>;

Signs of_exponential(double x, double y) {
  const bool is_open = std::isinf(x) && !std::isfinite(y);
  return {is_open, is_open && x < 0};
}

Signs of_sinh(double x, double y) {
  return {!std::isfinite(y) && (std::isinf(x) || x == 0), false};
}

Signs of_cosh(double x, double y) {
  const bool real = std::isinf(x) && std::isinf(y);
  const bool imaginary =
      (x == 0 && !std::isfinite(y)) || (std::isnan(x) && y == 0);
  return {real, imaginary};
}

Signs of_tanh(double x, double y) {
  return {false, std::isinf(x) && !std::isfinite(y)};
}

/// asinh and atanh.
Signs of_inverse(double x, double y) {
  return {std::isnan(x) && std::isinf(y), false};
}

Signs swapped(const Signs& signs) { return {signs[1], signs[0]}; }

}  // namespace

// sin z = -i sinh(iz), cos z = cosh(iz), and so on: iz is -y + xi.
Signs open_signs(ComplexFunction function, std::array<double, 2> z) {
  const auto [x, y] = z;
  switch (function) {
    case ComplexFunction::kExponential:
    case ComplexFunction::kExponential2:
      return of_exponential(x, y);
    case ComplexFunction::kExponentialMinusOne:
      // exp z - 1: the real part is -1 where exp z has a zero.
      return {of_exponential(x, y)[0] && x > 0, of_exponential(x, y)[1]};
    case ComplexFunction::kSinh:
      return of_sinh(x, y);
    case ComplexFunction::kSine:
      return swapped(of_sinh(y, x));
    case ComplexFunction::kCosh:
      return of_cosh(x, y);
    case ComplexFunction::kCosine:
      return of_cosh(y, x);
    case ComplexFunction::kTanh:
      return of_tanh(x, y);
    case ComplexFunction::kTan:
      return swapped(of_tanh(y, x));
    case ComplexFunction::kLogistic:  // Annex G has no word on it
      return {x == -HUGE_VAL, std::isinf(x)};
    case ComplexFunction::kAsinh:
    case ComplexFunction::kAtanh:
      return of_inverse(x, y);
    case ComplexFunction::kAsin:
    case ComplexFunction::kAtan:
      return swapped(of_inverse(y, x));
    case ComplexFunction::kAcos:
      return {false, std::isinf(x) && std::isnan(y)};
    case ComplexFunction::kSqrt:
      return {false, x == -HUGE_VAL && std::isnan(y)};
    default:
      return {false, false};
  }
}

}  // namespace hlo::conformance
