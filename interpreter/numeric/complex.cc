#include "interpreter/numeric/complex.h"

#include <bit>
#include <cmath>
#include <type_traits>

#include "interpreter/numeric/complex_parts.h"
#include "interpreter/numeric/rounding.h"

namespace hlo::numeric {
namespace {

// Three or fewer operations of double on exact products: 2^-51 at most.
constexpr double kBelow = 1 - 0x1p-50;
constexpr double kAbove = 1 + 0x1p-50;

Parts parts(ComplexBits z, const FloatFormat& component) {
  return {decode(z.re, component), decode(z.im, component)};
}

ComplexBits load(const void* data, int64_t i, const FloatFormat& component) {
  return {load_code(data, 2 * i, component),
          load_code(data, 2 * i + 1, component)};
}

void store(void* data, int64_t i, ComplexBits z, const FloatFormat& component) {
  store_code(data, 2 * i, z.re, component);
  store_code(data, 2 * i + 1, z.im, component);
}

// One IEEE operation on each part, exact or innocuously rounded in double.
Rounded sum(double a, double b, const FloatFormat& format) {
  return {encode(a + b, format), 0};
}

RoundedComplex finite_quotient(Parts x, Parts y, const FloatFormat& format) {
  return {quotient_of_sums(x.re, y.re, x.im, y.im, y.re, y.im, format),
          quotient_of_sums(x.im, y.re, -x.re, y.im, y.re, y.im, format)};
}

struct FloatPair {
  float re;
  float im;
};

bool finite(FloatPair z) { return std::isfinite(z.re) && std::isfinite(z.im); }

// Products of floats are exact in double; their sum is rounded to odd, so that
// the second rounding is the only one.
FloatPair fast_product(FloatPair x, FloatPair y) {
  const double a = x.re;
  const double b = x.im;
  const double c = y.re;
  const double d = y.im;
  return {static_cast<float>(add_to_odd(a * c, -(b * d))),
          static_cast<float>(add_to_odd(a * d, b * c))};
}

// NaN where rounding is uncertain.
float certain(double approximate) {
  const float one = static_cast<float>(approximate * kBelow);
  const float other = static_cast<float>(approximate * kAbove);
  return one == other ? one : std::numeric_limits<float>::quiet_NaN();
}

FloatPair fast_quotient(FloatPair x, FloatPair y) {
  const double a = x.re;
  const double b = x.im;
  const double c = y.re;
  const double d = y.im;
  const double norm = c * c + d * d;
  return {certain((a * c + b * d) / norm), certain((b * c - a * d) / norm)};
}

template <typename Fast>
void c64_array2(ComplexFunction2 function, const void* x, const void* y,
                void* result, int64_t n, const Fast& fast) {
  const FloatFormat& f32 = format(ElementType::kF32);
  const auto* left = static_cast<const FloatPair*>(x);
  const auto* right = static_cast<const FloatPair*>(y);
  auto* to = static_cast<FloatPair*>(result);
  for (int64_t i = 0; i < n; ++i) {
    const FloatPair z = fast(left[i], right[i]);
    if (finite(z)) {
      to[i] = z;
      continue;
    }
    const ComplexBits exact =
        round_complex2(function, load(x, i, f32), load(y, i, f32), f32).bits();
    store(result, i, exact, f32);
  }
}

bool fast_array2(ComplexFunction2 function, const void* x, const void* y,
                 void* result, int64_t n) {
  switch (function) {
    case ComplexFunction2::kMultiply:
      c64_array2(function, x, y, result, n, fast_product);
      return true;
    case ComplexFunction2::kDivide:
      c64_array2(function, x, y, result, n, fast_quotient);
      return true;
    default:
      return false;
  }
}

}  // namespace

RoundedComplex round_complex(ComplexFunction function, ComplexBits x,
                             const FloatFormat& component) {
  const uint64_t sign = component.sign_mask();
  if (function == ComplexFunction::kNegate) {
    return {{x.re ^ sign, 0}, {x.im ^ sign, 0}};
  }
  const Parts z = parts(x, component);
  if (const auto result = special(function, z, component)) return *result;
  if (function == ComplexFunction::kSign && z == Parts{0, 0}) {
    return {{zero_code(false, component), 0}, {zero_code(false, component), 0}};
  }
  return evaluate(function, z, component);
}

RoundedComplex round_complex2(ComplexFunction2 function, ComplexBits x,
                              ComplexBits y, const FloatFormat& component) {
  const Parts a = parts(x, component);
  const Parts b = parts(y, component);
  if (const auto result = special2(function, a, b, component)) return *result;
  switch (function) {
    case ComplexFunction2::kAdd:
      return {sum(a.re, b.re, component), sum(a.im, b.im, component)};
    case ComplexFunction2::kSubtract:
      return {sum(a.re, -b.re, component), sum(a.im, -b.im, component)};
    case ComplexFunction2::kMultiply:
      return {sum_of_products(a.re, b.re, -a.im, b.im, component),
              sum_of_products(a.re, b.im, a.im, b.re, component)};
    case ComplexFunction2::kDivide:
      return finite_quotient(a, b, component);
  }
  return {};
}

Rounded round_complex_abs(ComplexBits x, const FloatFormat& component) {
  const Parts z = parts(x, component);
  return hypotenuse(z.re, z.im, component);
}

void round_complex_array(ComplexFunction function, const void* x, void* result,
                         int64_t n, const FloatFormat& component) {
  for (int64_t i = 0; i < n; ++i) {
    const ComplexBits z = load(x, i, component);
    store(result, i, round_complex(function, z, component).bits(), component);
  }
}

void round_complex_array2(ComplexFunction2 function, const void* x,
                          const void* y, void* result, int64_t n,
                          const FloatFormat& component) {
  const bool narrow = component.type == ElementType::kF32;
  if (narrow && fast_array2(function, x, y, result, n)) return;
  for (int64_t i = 0; i < n; ++i) {
    const ComplexBits z = round_complex2(function, load(x, i, component),
                                         load(y, i, component), component)
                              .bits();
    store(result, i, z, component);
  }
}

void round_complex_abs_array(const void* x, void* result, int64_t n,
                             const FloatFormat& component) {
  const bool narrow = component.type == ElementType::kF32;
  for (int64_t i = 0; i < n; ++i) {
    const ComplexBits code = load(x, i, component);
    const Parts z = parts(code, component);
    const float fast = certain(std::sqrt(z.re * z.re + z.im * z.im));
    const bool known = narrow && std::isfinite(fast);
    store_code(result, i,
               known ? std::bit_cast<uint32_t>(fast)
                     : round_complex_abs(code, component).bits,
               component);
  }
}

}  // namespace hlo::numeric
