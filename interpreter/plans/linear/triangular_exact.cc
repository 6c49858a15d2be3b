// Substitution in integers: rows are scaled by powers of two, and one common
// denominator, the product of the diagonal so far, is kept instead of
// fractions.
#include <gmpxx.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "interpreter/numeric/format/rounding.h"
#include "interpreter/plans/linear/extended.h"
#include "interpreter/plans/linear/triangular.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;
using numeric::FloatFormat;

bool is_finite(const Complex& z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

/// The exponent of the lowest bit that is set in either part, `none` for 0 and
/// for what is not finite.
int64_t lowest_bit(const Complex& z, int64_t none) {
  int64_t lowest = none;
  for (const double part : {z.real(), z.imag()}) {
    if (part == 0 || !is_finite(z)) continue;
    const numeric::Scaled s = numeric::split(part);
    lowest =
        std::min<int64_t>(lowest, s.exponent + std::countr_zero(s.significand));
  }
  return lowest;
}

/// value = z 2^exponent, where exponent is no more than the lowest bit's.
void set_scaled(mpz_class& z, double value, int64_t exponent) {
  const numeric::Scaled s = numeric::split(value);
  const int zeros = s.significand == 0 ? 0 : std::countr_zero(s.significand);
  z = s.significand >> zeros;
  if (s.significand != 0) {
    z <<= static_cast<mp_bitcnt_t>(s.exponent + zeros - exponent);
  }
  if (s.negative) z = -z;
}

struct Gaussian {
  mpz_class re;
  mpz_class im;

  void set(const Complex& value, int64_t exponent) {
    set_scaled(re, value.real(), exponent);
    set_scaled(im, value.imag(), exponent);
  }

  bool is_zero() const { return sgn(re) == 0 && sgn(im) == 0; }
};

void add_product(mpz_class& sum, const mpz_class& a, const mpz_class& b) {
  mpz_addmul(sum.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
}

void subtract_product(mpz_class& sum, const mpz_class& a, const mpz_class& b) {
  mpz_submul(sum.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
}

void multiply(Gaussian& z, const Gaussian& factor, Gaussian& scratch) {
  scratch.re = z.re * factor.re;
  subtract_product(scratch.re, z.im, factor.im);
  scratch.im = z.re * factor.im;
  add_product(scratch.im, z.im, factor.re);
  std::swap(z, scratch);
}

/// z -= a b.
void subtract(Gaussian& z, const Gaussian& a, const Gaussian& b) {
  subtract_product(z.re, a.re, b.re);
  add_product(z.re, a.im, b.im);
  subtract_product(z.im, a.re, b.im);
  subtract_product(z.im, a.im, b.re);
}

/// What is left of a component that is not finite: an infinity's sign, or 0
/// for NaN.
struct Special {
  int sign = 0;
};

/// One right-hand side while the unknowns are found, first to last.
class Substitution {
 public:
  Substitution(const Triangle& t, std::span<const Complex> b, bool is_complex,
               const FloatFormat& format)
      : t_(t), is_complex_(is_complex), format_(format) {
    scale(b);
    for (size_t i = 0; i < b.size(); ++i) {
      rests_.emplace_back();
      specials_.emplace_back();
      if (is_finite(b[i])) {
        rests_[i].set(b[i], exponents_[i] + scale_);
      } else {
        become_special(i, sign_of(b[i]));
      }
    }
    product_.re = 1;
  }

  std::vector<numeric::ComplexBits> run() {
    std::vector<numeric::ComplexBits> x;
    for (int64_t k = 0; k < t_.n; ++k) {
      const Complex& d = t_.at(k, k);
      const bool plain =
          !specials_[at(k)] && is_finite(d) && d != Complex(0, 0);
      x.push_back(plain ? eliminate(k) : eliminate_special(k));
    }
    return x;
  }

 private:
  static size_t at(int64_t i) { return static_cast<size_t>(i); }

  /// T(i, j) is an integer times 2^exponents_[i], b(i) one times
  /// 2^(exponents_[i] + scale_).
  void scale(std::span<const Complex> b) {
    constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
    int64_t scale = kNone;
    for (int64_t i = 0; i < t_.n; ++i) {
      int64_t exponent = kNone;
      for (int64_t j = 0; j <= i; ++j) {
        exponent = std::min(exponent, lowest_bit(t_.at(i, j), kNone));
      }
      exponents_.push_back(exponent == kNone ? 0 : exponent);
      const int64_t lowest = lowest_bit(b[at(i)], kNone);
      if (lowest != kNone) {
        scale = std::min(scale, lowest - exponents_.back());
      }
    }
    scale_ = scale == kNone ? 0 : scale;
  }

  /// The sign of a number that is not 0, as of a component that becomes
  /// infinite; 0 for NaN and in complex systems.
  int sign_of(const Complex& z) const {
    if (is_complex_ || std::isnan(z.real())) return 0;
    return std::signbit(z.real()) ? -1 : 1;
  }

  /// Adds an infinity of that sign, or NaN, to b(i).
  void become_special(size_t i, int sign) {
    const bool same = !specials_[i] || specials_[i]->sign == sign;
    specials_[i] = Special{same ? sign : 0};
  }

  /// x(k) = rests(k) / product, then the next rows' rests.
  numeric::ComplexBits eliminate(int64_t k) {
    diagonal_.set(t_.at(k, k), exponents_[at(k)]);
    multiply(product_, diagonal_, scratch_);
    const Gaussian& rest = rests_[at(k)];
    const int sign = sign_of_rest(k);
    for (int64_t i = k + 1; i < t_.n; ++i) {
      const Complex& value = t_.at(i, k);
      if (!is_finite(value)) {
        become_special(at(i), rest.is_zero() ? 0 : -sign * sign_of(value));
      }
      if (specials_[at(i)]) continue;
      multiply(rests_[at(i)], diagonal_, scratch_);
      if (value == Complex(0, 0)) continue;
      entry_.set(value, exponents_[at(i)]);
      subtract(rests_[at(i)], entry_, rest);
    }
    return round(rest);
  }

  /// The sign of rests(k) / product in a real system.
  int sign_of_rest(int64_t k) const {
    return sgn(rests_[at(k)].re) * sgn(product_.re);
  }

  numeric::ComplexBits round(const Gaussian& rest) {
    if (sgn(product_.im) == 0) {
      return {round_quotient(rest.re, product_.re, scale_, format_),
              round_quotient(rest.im, product_.re, scale_, format_)};
    }
    const mpz_class square =
        product_.re * product_.re + product_.im * product_.im;
    const mpz_class re = rest.re * product_.re + rest.im * product_.im;
    const mpz_class im = rest.im * product_.re - rest.re * product_.im;
    return {round_quotient(re, square, scale_, format_),
            round_quotient(im, square, scale_, format_)};
  }

  /// x(k) where b(k) or T(k, k) is special: a zero for an infinite diagonal, or
  /// an infinity or NaN.
  numeric::ComplexBits eliminate_special(int64_t k) {
    const Complex& d = t_.at(k, k);
    const bool vanishes =
        !is_complex_ && std::isinf(d.real()) && !specials_[at(k)];
    const int sign = vanishes ? 0 : sign_of_infinity(k);
    for (int64_t i = k + 1; i < t_.n; ++i) {
      const Complex& value = t_.at(i, k);
      if (vanishes && is_finite(value)) continue;
      const bool meets_zero = vanishes || value == Complex(0, 0);
      become_special(at(i), meets_zero ? 0 : -sign * sign_of(value));
    }
    const double x = vanishes ? 0 : sign == 0 ? std::nan("") : sign * HUGE_VAL;
    const uint64_t code = numeric::encode(x, format_);
    return {code, code};
  }

  /// The sign of b(k) / T(k, k), which is infinite, or 0: it is NaN.
  int sign_of_infinity(int64_t k) const {
    const Complex& d = t_.at(k, k);
    if (is_complex_ || std::isinf(d.real())) return 0;
    const int sign =
        specials_[at(k)] ? specials_[at(k)]->sign : sign_of_rest(k);
    return sign * sign_of(d);
  }

  const Triangle& t_;
  bool is_complex_;
  const FloatFormat& format_;
  std::vector<int64_t> exponents_;
  int64_t scale_ = 0;
  std::vector<Gaussian> rests_;  // of b; x is rests / product
  std::vector<std::optional<Special>> specials_;
  Gaussian product_;  // of the scaled diagonal up to here
  Gaussian diagonal_;
  Gaussian entry_;
  Gaussian scratch_;
};

}  // namespace

std::vector<numeric::ComplexBits> solve_exactly(const Triangle& t,
                                                std::span<const Complex> b,
                                                bool is_complex,
                                                const FloatFormat& format) {
  return Substitution(t, b, is_complex, format).run();
}

}  // namespace hlo
