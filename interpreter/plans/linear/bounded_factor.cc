// With rows and columns scaled by powers of two, so that the diagonal of A lies
// between 1/4 and 1, the elements of L are at most 1. They are integers l here,
// in units of 2^-p, each off by at most r units; f are their magnitudes, in
// doubles. So
//
//     m(i, j) = a(i, j) - sum over k < j of l(i, k) conj(l(j, k))
//
// in units of 2^-2p is off by at most 2^p e(i, j) of these, where
//
//     e(i, j) = sum over k < j of f(i, k) r(j, k) + f(j, k) r(i, k)
//                                 + 2^(1 - p) r(i, k) r(j, k),
//
// with f as the sum of both parts' magnitudes and r a bound for each part. Then
// l(j, j) = sqrt(m(j, j)) and l(i, j) = m(i, j) / l(j, j). What is exact has
// r = 0. Bounds are sums and products of numbers that are not negative, in
// double; kUp makes up for their roundings.
#include "interpreter/plans/linear/bounded_factor.h"

#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "interpreter/numeric/format/rounding.h"
#include "interpreter/plans/linear/extended.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;
using numeric::FloatFormat;

constexpr double kUp = 1 + 0x1p-20;  // for up to 2^30 roundings

bool is_finite(const Complex& z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

struct Element {
  mpz_class re;
  mpz_class im;
  double f = 0;
  double r = 0;
};

/// A number, in units, and whether it is rounded.
struct Fixed {
  mpz_class units;
  bool rounded = false;
};

/// value 2^shift, towards zero.
Fixed fixed(double value, int64_t shift) {
  const numeric::Scaled parts = numeric::split(value);
  Fixed result{parts.significand};
  const int64_t up = parts.exponent + shift;
  if (up >= 0) {
    result.units <<= static_cast<mp_bitcnt_t>(up);
  } else {
    const auto down = static_cast<mp_bitcnt_t>(-up);
    result.rounded = mpz_divisible_2exp_p(result.units.get_mpz_t(), down) == 0;
    result.units >>= down;
  }
  if (parts.negative) result.units = -result.units;
  return result;
}

/// The quotient, towards zero.
Fixed quotient(const mpz_class& a, const mpz_class& b) {
  Fixed result;
  mpz_class rest;
  mpz_tdiv_qr(result.units.get_mpz_t(), rest.get_mpz_t(), a.get_mpz_t(),
              b.get_mpz_t());
  result.rounded = rest != 0;
  return result;
}

/// Not below |x| 2^-bits; 0 for 0.
double magnitude(const mpz_class& x, int64_t bits) {
  if (x == 0) return 0;
  long exponent = 0;
  const double digits = mpz_get_d_2exp(&exponent, x.get_mpz_t());
  constexpr int64_t kLeast = -900;
  const int64_t scale = std::max<int64_t>(exponent - bits, kLeast);
  return std::ldexp(std::fabs(digits) * (1 + 0x1p-50), static_cast<int>(scale));
}

class Factorization {
 public:
  Factorization(const std::vector<Complex>& lower, int64_t n, int64_t bits,
                const FloatFormat& format)
      : lower_(lower),
        n_(n),
        bits_(bits),
        format_(format),
        is_real_(std::ranges::all_of(
            lower, [](const Complex& z) { return z.imag() == 0; })),
        elements_(lower.size()) {}

  BoundedFactor run() {
    using enum BoundedFactor::Kind;
    if (!scale()) return {kNotPositive};
    for (int64_t i = 0; i < n_; ++i) {
      for (int64_t j = 0; j < i; ++j) {
        if (!divide(i, j)) return {kOpen};
      }
      const auto kind = take_root(i);
      if (kind != kKnown) return {kind};
    }
    return rounded();
  }

 private:
  static size_t place(int64_t i, int64_t j) {
    return static_cast<size_t>(i * (i + 1) / 2 + j);
  }

  Element& at(int64_t i, int64_t j) { return elements_[place(i, j)]; }

  /// Finds the scales of the rows, if the diagonal is positive.
  bool scale() {
    for (int64_t i = 0; i < n_; ++i) {
      const double diagonal = lower_[place(i, i)].real();
      if (!(diagonal > 0)) return false;
      const int exponent = std::ilogb(diagonal) + 1;
      exponents_.push_back((exponent + 1) >> 1);
    }
    return true;
  }

  int64_t exponent(int64_t i) const {
    return exponents_[static_cast<size_t>(i)];
  }

  struct Rest {
    mpz_class re;
    mpz_class im;
    double e = 0;
  };

  /// m(i, j) and e(i, j).
  Rest subtract(int64_t i, int64_t j) const {
    const Complex& a = lower_[place(i, j)];
    const int64_t shift = 2 * bits_ - exponent(i) - exponent(j);
    Fixed re = fixed(a.real(), shift);
    Fixed im = fixed(a.imag(), shift);
    const double unit = std::ldexp(1, static_cast<int>(-bits_));
    Rest m{std::move(re.units), std::move(im.units),
           re.rounded || im.rounded ? unit : 0};
    const Element* x = &elements_[place(i, 0)];
    const Element* y = &elements_[place(j, 0)];
    for (int64_t k = 0; k < j; ++k, ++x, ++y) {
      mpz_submul(m.re.get_mpz_t(), x->re.get_mpz_t(), y->re.get_mpz_t());
      m.e += x->f * y->r + y->f * x->r + 2 * unit * x->r * y->r;
      if (x->im == 0 && y->im == 0) continue;
      mpz_submul(m.re.get_mpz_t(), x->im.get_mpz_t(), y->im.get_mpz_t());
      mpz_submul(m.im.get_mpz_t(), x->im.get_mpz_t(), y->re.get_mpz_t());
      mpz_addmul(m.im.get_mpz_t(), x->re.get_mpz_t(), y->im.get_mpz_t());
    }
    m.e *= kUp;
    return m;
  }

  /// l(j, j), if m(j, j) is certainly positive: off by at most m's error over
  /// the root, and by less than a unit where that is rounded.
  BoundedFactor::Kind take_root(int64_t j) {
    using enum BoundedFactor::Kind;
    const Rest m = subtract(j, j);
    if (!std::isfinite(m.e)) return kOpen;
    mpz_class error(std::ceil(m.e));
    error <<= static_cast<mp_bitcnt_t>(bits_);
    if (m.re + error <= 0) return kNotPositive;
    if (m.re - error <= 0) return kOpen;
    Element& root = at(j, j);
    mpz_class rest;
    mpz_sqrtrem(root.re.get_mpz_t(), rest.get_mpz_t(), m.re.get_mpz_t());
    root.f = magnitude(root.re, bits_);
    root.r = (m.e / root.f + (rest != 0 ? 1 : 0)) * kUp;
    return kKnown;
  }

  /// l(i, j) = m(i, j) / l(j, j), if that is certainly above zero: off by as
  /// much as m, and by its own share of what l(j, j) is off by, over l(j, j) at
  /// the least; and by less than a unit where it is rounded.
  bool divide(int64_t i, int64_t j) {
    const Rest m = subtract(i, j);
    const Element& root = at(j, j);
    const double unit = std::ldexp(1, static_cast<int>(-bits_));
    const double least = root.f / kUp - root.r * unit;
    if (!std::isfinite(m.e) || !(least > 0)) return false;
    Fixed re = quotient(m.re, root.re);
    Fixed im = quotient(m.im, root.re);
    const bool is_rounded = re.rounded || im.rounded;
    Element& element = at(i, j);
    element.f = magnitude(re.units, bits_) + magnitude(im.units, bits_);
    const double own = element.f + (is_rounded ? 2 * unit : 0);
    element.r = ((m.e + own * root.r) / least + (is_rounded ? 1 : 0)) * kUp;
    element.re = std::move(re.units);
    element.im = std::move(im.units);
    return true;
  }

  BoundedFactor rounded() const {
    BoundedFactor found{BoundedFactor::Kind::kKnown};
    for (int64_t i = 0; i < n_; ++i) {
      for (int64_t j = 0; j <= i; ++j) {
        const Element& element = elements_[place(i, j)];
        if (!std::isfinite(element.r)) return {};
        const mpz_class error(std::ceil(element.r));
        const auto re = round(element.re, error, exponent(i));
        const bool is_real = is_real_ || i == j;
        const auto im = round(element.im, is_real ? 0 : error, exponent(i));
        if (!re || !im) return {};
        found.elements.push_back({*re, *im});
      }
    }
    return found;
  }

  /// The code of all numbers so near, if they have one.
  std::optional<uint64_t> round(const mpz_class& units, const mpz_class& error,
                                int64_t exponent) const {
    const mpz_class low = units - error;
    const mpz_class high = units + error;
    if (error != 0 && sgn(low) * sgn(high) <= 0) return std::nullopt;
    const uint64_t code = round_quotient(low, 1, exponent - bits_, format_);
    if (code != round_quotient(high, 1, exponent - bits_, format_)) {
      return std::nullopt;
    }
    return code;
  }

  const std::vector<Complex>& lower_;
  int64_t n_;
  int64_t bits_;
  const FloatFormat& format_;
  bool is_real_;
  std::vector<int64_t> exponents_;  // row i is scaled by 2^-exponents_[i]
  std::vector<Element> elements_;
};

}  // namespace

BoundedFactor factor_with_bounds(const std::vector<Complex>& lower, int64_t n,
                                 const FloatFormat& format) {
  if (!std::ranges::all_of(lower, is_finite)) {
    return {BoundedFactor::Kind::kNotPositive};
  }
  BoundedFactor found;
  for (const int64_t bits : {192, 512}) {
    found = Factorization(lower, n, bits, format).run();
    if (found.kind != BoundedFactor::Kind::kOpen) break;
  }
  return found;
}

}  // namespace hlo
