#pragma once

#include <cmath>
#include <cstdint>

// Unevaluated sums of two doubles, hi + lo with hi nearest to the sum, and the
// operations on them. u = 2^-53.
//
// Relative errors, all below 16 u^2 = 2^-102, where no product or its error
// underflows or overflows (|a|, |b| < 2^990; 0 or |a b| > 2^-960):
// * sums 2 u^2 and 3 u^2 + 13 u^3, products 3 u^2 and 7 u^2: Joldes, Muller and
//   Popescu, ACM TOMS 44(2), 2017, algorithms 4, 6, 8 and 10;
// * quotients: the first quotient q is off by u, so that a.hi - b.hi q is a
//   double of at most u |a|, found without error (its two differences are
//   exact: Sterbenz, and Markstein on remainders). The second parts a.lo and
//   q b.lo, each at most u |a|, add errors of u^2, 2 u^2 and 3 u^2 of |a|; the
//   second quotient of at most 3u adds 3 u^2 for b.hi in place of b, and 3 u^2:
//   12 u^2 + O(u^3);
// * roots: the first root is off by 1.5u, so that the rest is at most 3u |a|;
//   two roundings leave 5 u^2 |a|, half of which counts, its quotient 2.5u of
//   1.5u, the square of the first error 1.2 u^2: 8 u^2.
namespace hlo::numeric {

/// How the error of a product is found; either way it is exact.
enum class Product : uint8_t {
  kSplit,  // Dekker's, on every machine
  kFused,  // one fused multiply-add
};

/// hi + lo.
struct HiLo {
  double hi = 0;
  double lo = 0;
};

/// hi + lo whose products are found in the given way.
template <Product P>
struct DoubleDouble {
  double hi = 0;
  double lo = 0;

  DoubleDouble() = default;

  explicit DoubleDouble(double high, double low = 0) : hi(high), lo(low) {}

  explicit DoubleDouble(HiLo sum) : hi(sum.hi), lo(sum.lo) {}
};

/// a + b exactly; |a| >= |b|, or a = 0.
inline HiLo fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b exactly.
inline HiLo two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// The leading 26 bits of a and the rest.
inline HiLo split_in_halves(double a) {
  constexpr double kFactor = 0x1p27 + 1;
  const double scaled = kFactor * a;
  const double high = scaled - (scaled - a);
  return {high, a - high};
}

/// a * b exactly.
template <Product P>
HiLo two_product(double a, double b) {
  const double product = a * b;
  if constexpr (P == Product::kFused) {
    return {product, __builtin_fma(a, b, -product)};
  } else {
    const HiLo x = split_in_halves(a);
    const HiLo y = split_in_halves(b);
    const double error =
        ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo;
    return {product, error};
  }
}

/// a * b exactly, for b of at most 26 bits, whose second half is 0.
template <Product P>
HiLo two_product_short(double a, double b) {
  if constexpr (P == Product::kFused) return two_product<P>(a, b);
  const double product = a * b;
  const HiLo x = split_in_halves(a);
  return {product, (x.hi * b - product) + x.lo * b};
}

template <Product P>
DoubleDouble<P> operator-(DoubleDouble<P> a) {
  return DoubleDouble<P>(-a.hi, -a.lo);
}

template <Product P>
DoubleDouble<P> operator+(DoubleDouble<P> a, double b) {
  const HiLo sum = two_sum(a.hi, b);
  return DoubleDouble<P>(fast_two_sum(sum.hi, sum.lo + a.lo));
}

template <Product P>
DoubleDouble<P> operator+(DoubleDouble<P> a, DoubleDouble<P> b) {
  const HiLo high = two_sum(a.hi, b.hi);
  const HiLo low = two_sum(a.lo, b.lo);
  const HiLo sum = fast_two_sum(high.hi, high.lo + low.hi);
  return DoubleDouble<P>(fast_two_sum(sum.hi, sum.lo + low.lo));
}

/// a + b for |b| <= 0.6 |a|, or a = 0: the second parts are at most u |a| and
/// 0.6u |a|, and what they and the sum's error (at most 1.6u |a|) lose is at
/// most 4.8 u^2 |a| <= 12 u^2 |a + b|.
template <Product P>
DoubleDouble<P> add_lesser(DoubleDouble<P> a, DoubleDouble<P> b) {
  const HiLo sum = fast_two_sum(a.hi, b.hi);
  return DoubleDouble<P>(fast_two_sum(sum.hi, sum.lo + (a.lo + b.lo)));
}

/// a + b, off by less than 2^-102 (|a| + |b|).
template <Product P>
DoubleDouble<P> add_roughly(DoubleDouble<P> a, DoubleDouble<P> b) {
  const HiLo sum = two_sum(a.hi, b.hi);
  return DoubleDouble<P>(fast_two_sum(sum.hi, sum.lo + (a.lo + b.lo)));
}

template <Product P>
DoubleDouble<P> operator-(DoubleDouble<P> a, double b) {
  return a + -b;
}

template <Product P>
DoubleDouble<P> operator-(DoubleDouble<P> a, DoubleDouble<P> b) {
  return a + -b;
}

template <Product P>
DoubleDouble<P> operator*(DoubleDouble<P> a, double b) {
  const HiLo product = two_product<P>(a.hi, b);
  return DoubleDouble<P>(fast_two_sum(product.hi, product.lo + a.lo * b));
}

/// a * b for b of at most 26 bits.
template <Product P>
DoubleDouble<P> times_short(DoubleDouble<P> a, double b) {
  const HiLo product = two_product_short<P>(a.hi, b);
  return DoubleDouble<P>(fast_two_sum(product.hi, product.lo + a.lo * b));
}

template <Product P>
DoubleDouble<P> operator*(DoubleDouble<P> a, DoubleDouble<P> b) {
  const HiLo product = two_product<P>(a.hi, b.hi);
  const double cross = a.hi * b.lo + a.lo * b.hi;
  return DoubleDouble<P>(fast_two_sum(product.hi, product.lo + cross));
}

/// a * b as hi + lo with |lo| <= (k + 2.1) u |hi| and an error below 2^-99 of
/// it, where |a.lo| <= k u |a.hi|, k <= 4: of a.lo b.lo, the two products,
/// their sum and the last sum come at most 4, 5, 5 and 6.1 u^2.
template <Product P>
DoubleDouble<P> multiply_roughly(DoubleDouble<P> a, DoubleDouble<P> b) {
  const HiLo product = two_product<P>(a.hi, b.hi);
  const double cross = a.hi * b.lo + a.lo * b.hi;
  return DoubleDouble<P>(product.hi, product.lo + cross);
}

template <Product P>
DoubleDouble<P> operator/(DoubleDouble<P> a, DoubleDouble<P> b) {
  const double first = a.hi / b.hi;
  const HiLo product = two_product<P>(b.hi, first);
  const double exact = (a.hi - product.hi) - product.lo;
  const double rest = exact + (a.lo - first * b.lo);
  return DoubleDouble<P>(fast_two_sum(first, rest / b.hi));
}

/// The square root of a > 0.
template <Product P>
DoubleDouble<P> square_root(DoubleDouble<P> a) {
  const double root = std::sqrt(a.hi);
  const HiLo square = two_product<P>(root, root);
  const double rest = (a.hi - square.hi) - square.lo + a.lo;
  return DoubleDouble<P>(fast_two_sum(root, rest / (2 * root)));
}

/// a times a power of two.
template <Product P>
DoubleDouble<P> scale(DoubleDouble<P> a, double power) {
  return DoubleDouble<P>(a.hi * power, a.lo * power);
}

}  // namespace hlo::numeric
