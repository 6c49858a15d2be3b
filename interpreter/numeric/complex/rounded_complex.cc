#include "interpreter/numeric/complex/rounded_complex.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "interpreter/numeric/complex/complex_angle.h"
#include "interpreter/numeric/complex/complex_arithmetic.h"
#include "interpreter/numeric/complex/complex_functions.h"
#include "interpreter/numeric/complex/complex_narrow.h"
#include "interpreter/numeric/complex/complex_power.h"
#include "interpreter/numeric/complex/complex_special.h"
#include "interpreter/numeric/format/rounding.h"

namespace hlo::numeric {
namespace {

using Complex = std::complex<double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Complex kUnknown{kNan, kNan};
// Three or fewer operations of double on exact products: 2^-51 at most.
constexpr double kBelow = 1 - 0x1p-50;
constexpr double kAbove = 1 + 0x1p-50;

Parts parts(ComplexBits z, const FloatFormat& component) {
  return {decode(z.re, component), decode(z.im, component)};
}

ComplexBits codes(Complex z, const FloatFormat& component) {
  return {encode(z.real(), component), encode(z.imag(), component)};
}

Complex value(const RoundedComplex& z, const FloatFormat& component) {
  return {decode(z.re.bits, component), decode(z.im.bits, component)};
}

/// A NaN is the canonical one, whatever operand it comes from.
RoundedComplex canonical(RoundedComplex z, const FloatFormat& component) {
  for (Rounded* part : {&z.re, &z.im}) {
    if (is_nan(part->bits, component)) part->bits = component.quiet_nan();
  }
  return z;
}

template <typename T>
ComplexBits load(const std::complex<T>& z) {
  using Code = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  return {std::bit_cast<Code>(z.real()), std::bit_cast<Code>(z.imag())};
}

Rounded sum(double a, double b, const FloatFormat& format) {
  // One IEEE operation, innocuously rounded in double for f32.
  return {encode(a + b, format), 0};
}

RoundedComplex finite_quotient(Parts x, Parts y, const FloatFormat& format) {
  return {quotient_of_sums(x.re, y.re, x.im, y.im, y.re, y.im, format),
          quotient_of_sums(x.im, y.re, -x.re, y.im, y.re, y.im, format)};
}

// The value that rounds to f32 as the exact one does, or NaN.
double certain(double approximate) {
  const auto one = static_cast<float>(approximate * kBelow);
  const auto other = static_cast<float>(approximate * kAbove);
  return one == other ? one : kNan;
}

// The parts of results for c64, NaN where that takes more: products of floats
// are exact in double, and a sum rounded to odd may be rounded once more.
struct Narrow {
  static Complex multiply(Complex x, Complex y) {
    const double a = x.real();
    const double b = x.imag();
    const double c = y.real();
    const double d = y.imag();
    return {add_to_odd(a * c, -(b * d)), add_to_odd(a * d, b * c)};
  }

  static Complex divide(Complex x, Complex y) {
    const double a = x.real();
    const double b = x.imag();
    const double c = y.real();
    const double d = y.imag();
    const double norm = c * c + d * d;
    return {certain((a * c + b * d) / norm), certain((b * c - a * d) / norm)};
  }

  static double magnitude(Complex z) {
    return certain(std::sqrt(z.real() * z.real() + z.imag() * z.imag()));
  }
};

// a*b + c*d in twice the precision of double, or NaN. The rest is off by less
// than 2^-103 of the products; subnormal and huge products are left alone.
double long_sum(double a, double b, double c, double d) {
  const double p = a * b;
  const double q = c * d;
  const double size = std::abs(p) + std::abs(q);
  const double least = std::min(std::abs(p), std::abs(q));
  if (!(least > 0x1p-900 && size < 0x1p1000)) return kNan;
  const double head = p + q;
  const double q_part = head - p;
  const double tail = (p - (head - q_part)) + (q - q_part);
  const double rest = (std::fma(a, b, -p) + std::fma(c, d, -q)) + tail;
  const double slack = size * 0x1p-102;
  const double one = head + (rest - slack);
  return one == head + (rest + slack) ? one : kNan;
}

struct Wide {
  static Complex multiply(Complex x, Complex y) {
    return {long_sum(x.real(), y.real(), -x.imag(), y.imag()),
            long_sum(x.real(), y.imag(), x.imag(), y.real())};
  }
};

bool finite(Complex z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

/// The function on the imaginary axis that another one is.
struct Twin {
  ComplexFunction of;
  ComplexFunction twin;
};

// sin z = -i sinh iz and its like: with the parts of argument and result in
// the other order.
constexpr std::array kTwins = {
    Twin{ComplexFunction::kSine, ComplexFunction::kSinh},
    Twin{ComplexFunction::kTan, ComplexFunction::kTanh},
    Twin{ComplexFunction::kAsin, ComplexFunction::kAsinh},
    Twin{ComplexFunction::kAtan, ComplexFunction::kAtanh},
};

// The rule for the function; its results are proved where they are finite.
template <typename Visitor>
void with_fast2(ComplexFunction2 function, const FloatFormat& component,
                const Visitor& visit) {
  const bool narrow = component.type == ElementType::kF32;
  switch (function) {
    case ComplexFunction2::kAdd:
      return visit([](Complex x, Complex y) { return x + y; });
    case ComplexFunction2::kSubtract:
      return visit([](Complex x, Complex y) { return x - y; });
    case ComplexFunction2::kMultiply:
      if (!narrow) return visit(Wide::multiply);
      return visit([](Complex x, Complex y) { return Narrow::multiply(x, y); });
    case ComplexFunction2::kDivide:
      if (!narrow) return visit([](Complex, Complex) { return kUnknown; });
      return visit([](Complex x, Complex y) { return Narrow::divide(x, y); });
    case ComplexFunction2::kPower:
      if (narrow) return visit(narrow_power);
      return visit([](Complex, Complex) { return kUnknown; });
    case ComplexFunction2::kAtan2:
      return visit([](Complex, Complex) { return kUnknown; });
  }
}

template <typename T>
std::complex<T> from_codes(const ComplexBits& z) {
  using Code = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  return {std::bit_cast<T>(static_cast<Code>(z.re)),
          std::bit_cast<T>(static_cast<Code>(z.im))};
}

template <typename T>
void array(ComplexFunction function, const void* x, void* result, int64_t n,
           const FloatFormat& component) {
  const auto* from = static_cast<const std::complex<T>*>(x);
  auto* to = static_cast<std::complex<T>*>(result);
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (sizeof(T) == 4) {
      const Complex fast = narrow_value(function, from[i]);
      if (finite(fast)) {
        to[i] = {static_cast<T>(fast.real()), static_cast<T>(fast.imag())};
        continue;
      }
    }
    to[i] =
        from_codes<T>(round_complex(function, load(from[i]), component).bits());
  }
}

template <typename T>
void array2(ComplexFunction2 function, const void* x, const void* y,
            void* result, int64_t n, const FloatFormat& component) {
  const auto* left = static_cast<const std::complex<T>*>(x);
  const auto* right = static_cast<const std::complex<T>*>(y);
  auto* to = static_cast<std::complex<T>*>(result);
  with_fast2(function, component, [&](const auto& fast) {
    for (int64_t i = 0; i < n; ++i) {
      const Complex z = fast(left[i], right[i]);
      to[i] = {static_cast<T>(z.real()), static_cast<T>(z.imag())};
      if (finite(z)) continue;
      to[i] = from_codes<T>(
          round_complex2(function, load(left[i]), load(right[i]), component)
              .bits());
    }
  });
}

template <typename T>
void abs_array(const void* x, void* result, int64_t n,
               const FloatFormat& component) {
  const auto* from = static_cast<const std::complex<T>*>(x);
  for (int64_t i = 0; i < n; ++i) {
    const double magnitude = complex_abs_value(from[i], component);
    store_code(result, i, encode(magnitude, component), component);
  }
}

}  // namespace

RoundedComplex round_complex(ComplexFunction function, ComplexBits x,
                             const FloatFormat& component) {
  const uint64_t sign = component.sign_mask();
  if (function == ComplexFunction::kNegate) {
    return {{x.re ^ sign, 0}, {x.im ^ sign, 0}};
  }
  if (function == ComplexFunction::kCosine) {  // cos z = cosh iz
    return round_complex(ComplexFunction::kCosh, {x.im, x.re ^ sign},
                         component);
  }
  for (const Twin& row : kTwins) {
    if (row.of != function) continue;
    const RoundedComplex z = round_complex(row.twin, {x.im, x.re}, component);
    return {z.im, z.re};
  }
  const Parts z = parts(x, component);
  if (const auto result = special(function, z, component)) {
    return canonical(*result, component);
  }
  if (function == ComplexFunction::kSign && z == Parts{0, 0}) {
    return {{zero_code(false, component), 0}, {zero_code(false, component), 0}};
  }
  return evaluate(function, z, component);
}

RoundedComplex round_complex2(ComplexFunction2 function, ComplexBits x,
                              ComplexBits y, const FloatFormat& component) {
  const Parts a = parts(x, component);
  const Parts b = parts(y, component);
  if (const auto result = special2(function, a, b, component)) {
    return canonical(*result, component);
  }
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
    case ComplexFunction2::kPower:
      return power(a, b, component);
    case ComplexFunction2::kAtan2:
      return complex_angle(a, b, component);
  }
  return {};
}

Rounded round_complex_abs(ComplexBits x, const FloatFormat& component) {
  const Parts z = parts(x, component);
  return hypotenuse(z.re, z.im, component);
}

Complex complex_value(ComplexFunction function, Complex x,
                      const FloatFormat& component) {
  if (component.type == ElementType::kF32) {
    const Complex fast = narrow_value(function, x);
    if (finite(fast)) return fast;
  }
  return value(round_complex(function, codes(x, component), component),
               component);
}

Complex complex_value2(ComplexFunction2 function, Complex x, Complex y,
                       const FloatFormat& component) {
  Complex fast = kUnknown;
  with_fast2(function, component, [&](const auto& rule) { fast = rule(x, y); });
  if (finite(fast)) return fast;
  return value(round_complex2(function, codes(x, component),
                              codes(y, component), component),
               component);
}

double complex_abs_value(Complex x, const FloatFormat& component) {
  if (component.type == ElementType::kF32) {
    const double fast = Narrow::magnitude(x);
    if (std::isfinite(fast)) return fast;
  }
  return decode(round_complex_abs(codes(x, component), component).bits,
                component);
}

void round_complex_array(ComplexFunction function, const void* x, void* result,
                         int64_t n, const FloatFormat& component) {
  if (component.type == ElementType::kF32) {
    return array<float>(function, x, result, n, component);
  }
  array<double>(function, x, result, n, component);
}

void round_complex_array2(ComplexFunction2 function, const void* x,
                          const void* y, void* result, int64_t n,
                          const FloatFormat& component) {
  if (component.type == ElementType::kF32) {
    return array2<float>(function, x, y, result, n, component);
  }
  array2<double>(function, x, y, result, n, component);
}

void round_complex_abs_array(const void* x, void* result, int64_t n,
                             const FloatFormat& component) {
  if (component.type == ElementType::kF32) {
    return abs_array<float>(x, result, n, component);
  }
  abs_array<double>(x, result, n, component);
}

}  // namespace hlo::numeric
