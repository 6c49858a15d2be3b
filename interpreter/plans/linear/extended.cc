#include "interpreter/plans/linear/extended.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/rounding.h"
#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo {
namespace {

using numeric::FloatFormat;
using numeric::Real;

const FloatFormat& f64() { return numeric::format(ElementType::kF64); }

/// Neither squares nor sums of such doubles and of zeros leave double's range,
/// and the lowest bits of products are doubles.
bool is_moderate(double x) {
  const double magnitude = std::fabs(x);
  return x == 0 || (magnitude > 0x1p-400 && magnitude < 0x1p+400);
}

bool are_moderate(const double* x, int64_t n) {
  return std::all_of(x, x + n, is_moderate);
}

/// The number that the sum held: what rounding leaves is rounded again until
/// nothing is left.
mpq_class value_of(numeric::ExactSum& sum) {
  mpq_class value;
  for (;;) {
    const double part = numeric::decode(sum.round(f64()).bits, f64());
    if (part == 0) return value;
    value += mpq_class(part);
    sum.add(-part);
  }
}

Extended of_special_sum(const numeric::ExactSum& sum) {
  return Extended::of(numeric::decode(sum.round(f64()).bits, f64()));
}

/// |x| as the square of a rational number, if it is one.
bool is_square(const mpq_class& x) {
  return mpz_perfect_square_p(x.get_num_mpz_t()) != 0 &&
         mpz_perfect_square_p(x.get_den_mpz_t()) != 0;
}

mpq_class square_root(const mpq_class& x) {
  return {sqrt(x.get_num()), sqrt(x.get_den())};
}

/// c + a / sqrt(v) to `precision` bits, toward -infinity and +infinity.
void enclose(const mpq_class& a, const mpq_class& v, const mpq_class& c,
             Real& low, Real& high) {
  const mpfr_prec_t precision = mpfr_get_prec(low.get());
  Real quotient(precision);
  Real error(precision);
  // Three roundings, of at most 2^-precision each; the error is 16 of them.
  mpfr_set_q(quotient.get(), v.get_mpq_t(), MPFR_RNDN);
  mpfr_rec_sqrt(quotient.get(), quotient.get(), MPFR_RNDN);
  mpfr_mul_q(quotient.get(), quotient.get(), a.get_mpq_t(), MPFR_RNDN);
  mpfr_mul_2si(error.get(), quotient.get(), 4 - static_cast<long>(precision),
               MPFR_RNDA);
  mpfr_abs(error.get(), error.get(), MPFR_RNDN);
  mpfr_sub(low.get(), quotient.get(), error.get(), MPFR_RNDD);
  mpfr_add(high.get(), quotient.get(), error.get(), MPFR_RNDU);
  mpfr_add_q(low.get(), low.get(), c.get_mpq_t(), MPFR_RNDD);
  mpfr_add_q(high.get(), high.get(), c.get_mpq_t(), MPFR_RNDU);
}

/// c + a / sqrt(v) for an irrational root: never a number of 64 bits.
uint64_t round_irrational(const mpq_class& a, const mpq_class& v,
                          const mpq_class& c, const FloatFormat& format) {
  constexpr mpfr_prec_t kBits = 64;
  for (mpfr_prec_t precision = 128;; precision *= 2) {
    Real low(precision);
    Real high(precision);
    enclose(a, v, c, low, high);
    Real below(kBits);
    Real above(kBits);
    mpfr_set(below.get(), low.get(), MPFR_RNDZ);
    mpfr_set(above.get(), high.get(), MPFR_RNDZ);
    if (mpfr_zero_p(below.get()) == 0 &&
        mpfr_equal_p(below.get(), above.get()) != 0) {
      constexpr int kInexact = 1;
      return numeric::round_truncated(below, kInexact, format).bits;
    }
  }
}

}  // namespace

Extended Extended::of(double x) {
  if (std::isnan(x)) return nan();
  if (std::isinf(x)) return infinity(x < 0 ? -1 : 1);
  return {.kind = Kind::kFinite, .value = mpq_class(x)};
}

Extended Extended::infinity(int sign) {
  return {.kind = Kind::kInfinite, .value = sign};
}

Extended Extended::nan() { return {.kind = Kind::kNan, .value = 0}; }

Extended operator+(const Extended& a, const Extended& b) {
  if (a.is_nan() || b.is_nan()) return Extended::nan();
  if (a.is_number() && b.is_number()) return {.value = a.value + b.value};
  if (a.is_number()) return b;
  if (b.is_number() || a.sign() == b.sign()) return a;
  return Extended::nan();
}

Extended operator-(const Extended& a, const Extended& b) {
  return a + Extended{.kind = b.kind, .value = -b.value};
}

Extended operator*(const Extended& a, const Extended& b) {
  if (a.is_nan() || b.is_nan()) return Extended::nan();
  if (a.is_number() && b.is_number()) return {.value = a.value * b.value};
  const int sign = a.sign() * b.sign();
  return sign == 0 ? Extended::nan() : Extended::infinity(sign);
}

Extended operator/(const Extended& a, const Extended& b) {
  if (a.is_nan() || b.is_nan()) return Extended::nan();
  if (!b.is_number()) return a.is_number() ? Extended{} : Extended::nan();
  if (b.sign() != 0 && a.is_number()) return {.value = a.value / b.value};
  const int sign = a.sign() * (b.sign() < 0 ? -1 : 1);
  return sign == 0 ? Extended::nan() : Extended::infinity(sign);
}

uint64_t round_quotient(const mpz_class& a, const mpz_class& b,
                        int64_t exponent, const FloatFormat& format) {
  if (sgn(a) == 0) return numeric::encode(0, format);
  mpz_class top = abs(a);
  mpz_class bottom = abs(b);
  // The quotient lies between 2^62 and 2^64.
  const int64_t shift =
      63 - (static_cast<int64_t>(mpz_sizeinbase(top.get_mpz_t(), 2)) -
            static_cast<int64_t>(mpz_sizeinbase(bottom.get_mpz_t(), 2)));
  (shift > 0 ? top : bottom) <<= static_cast<mp_bitcnt_t>(std::abs(shift));
  mpz_class quotient;
  mpz_class rest;
  mpz_tdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), top.get_mpz_t(),
              bottom.get_mpz_t());
  return numeric::round_scaled({.significand = quotient.get_ui(),
                                .exponent = exponent - shift,
                                .sticky = sgn(rest) != 0,
                                .negative = sgn(a) != sgn(b)},
                               format)
      .bits;
}

uint64_t round_to(const Extended& x, const FloatFormat& format) {
  if (x.is_nan()) return numeric::encode(std::nan(""), format);
  if (!x.is_number()) return numeric::encode(x.sign() * HUGE_VAL, format);
  return round_quotient(x.value.get_num(), x.value.get_den(), 0, format);
}

uint64_t round_over_root(const Extended& a, const Extended& v,
                         const Extended& c, const FloatFormat& format) {
  if (v.is_nan() || v.sign() < 0) return round_to(Extended::nan(), format);
  const bool plain = a.is_number() && c.is_number() && v.is_number();
  if (!plain || v.sign() == 0 || a.sign() == 0) {
    return round_to(c + a / v, format);  // the root has v's sign and kind
  }
  if (is_square(v.value)) {
    return round_to({.value = c.value + a.value / square_root(v.value)},
                    format);
  }
  return round_irrational(a.value, v.value, c.value, format);
}

Extended exact_sum(const double* terms, int64_t n) {
  numeric::ExactSum sum;
  sum.add_all(terms, n);
  if (!sum.is_finite()) return of_special_sum(sum);
  if (are_moderate(terms, n)) return {.value = value_of(sum)};
  Extended total;
  for (int64_t i = 0; i < n; ++i) total.value += mpq_class(terms[i]);
  return total;
}

Extended exact_dot(const double* a, const double* b, int64_t n) {
  numeric::ExactSum sum;
  sum.add_products(a, b, n);
  if (!sum.is_finite()) return of_special_sum(sum);
  if (are_moderate(a, n) && are_moderate(b, n)) {
    return {.value = value_of(sum)};
  }
  Extended total;
  for (int64_t i = 0; i < n; ++i) {
    total.value += mpq_class(a[i]) * mpq_class(b[i]);
  }
  return total;
}

}  // namespace hlo
