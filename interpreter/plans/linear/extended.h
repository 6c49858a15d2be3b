#pragma once

#include <gmpxx.h>

#include <cstdint>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo {

/// An exact rational number, an infinity or NaN. Arithmetic has no rounding;
/// where a limit does not exist it gives NaN. Zero has no sign.
struct Extended {
  enum class Kind : uint8_t { kFinite, kInfinite, kNan };

  Kind kind = Kind::kFinite;
  mpq_class value;  // of a number; 1 or -1 of an infinity

  bool is_number() const { return kind == Kind::kFinite; }

  bool is_nan() const { return kind == Kind::kNan; }

  int sign() const { return is_nan() ? 0 : sgn(value); }

  static Extended of(double x);
  static Extended infinity(int sign);
  static Extended nan();
};

Extended operator+(const Extended& a, const Extended& b);
Extended operator-(const Extended& a, const Extended& b);
Extended operator*(const Extended& a, const Extended& b);
/// A number over 0 is an infinity with the sign of the number.
Extended operator/(const Extended& a, const Extended& b);

/// a / b * 2^exponent, rounded once to nearest even; b is not 0.
uint64_t round_quotient(const mpz_class& a, const mpz_class& b,
                        int64_t exponent, const numeric::FloatFormat& format);
/// The code nearest to the number; +0 for 0.
uint64_t round_to(const Extended& x, const numeric::FloatFormat& format);
/// c + a / sqrt(v), rounded once; NaN where v < 0.
uint64_t round_over_root(const Extended& a, const Extended& v,
                         const Extended& c, const numeric::FloatFormat& format);

/// The exact sum of n doubles, and of n products. 0 times an infinity is NaN,
/// as is the sum of both infinities.
Extended exact_sum(const double* terms, int64_t n);
Extended exact_dot(const double* a, const double* b, int64_t n);

}  // namespace hlo
