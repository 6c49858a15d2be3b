#pragma once

#include <mpfr.h>

#include <optional>

#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::numeric {

/// Two numbers that a real value lies between; both ends may be it.
struct Enclosure {
  explicit Enclosure(mpfr_prec_t precision) : low(precision), high(precision) {}

  mpfr_prec_t precision() const { return mpfr_get_prec(low.get()); }

  Real low;
  Real high;
};

/// Sets both ends to the value, rounded outward.
void enclose(Enclosure& result, mpfr_srcptr value);
/// Replaces a by what encloses a + b; any signs.
void add(Enclosure& a, const Enclosure& b);
/// Replaces a by what encloses a - b; any signs.
void subtract(Enclosure& a, const Enclosure& b);
/// Replaces a by what encloses a * b, for positive b.
void multiply(Enclosure& a, const Enclosure& b);
/// Replaces a by what encloses a / b, for positive b.
void divide(Enclosure& a, const Enclosure& b);
/// A function of MPFR with one argument.
using RealFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
/// Replaces a by what encloses f(a); f grows.
void apply(Enclosure& a, RealFunction f);
/// Replaces a by what encloses a * factor, for a finite factor of any sign.
void scale(Enclosure& a, double factor);
/// Sets the result to what encloses f(a), f being sine or cosine.
void turn(Enclosure& result, RealFunction f, const Enclosure& a);
/// Moves the ends of a apart by |a| 2^-bits on both sides; a has no zero
/// inside.
void widen(Enclosure& a, mpfr_prec_t bits);

/// Sets `result` to the value rounded toward zero, where the ends leave no
/// doubt of it and of its being inexact; the ternary value then.
std::optional<int> truncate(mpfr_ptr result, const Enclosure& value);

/// Refines compute(Enclosure&), which fills in ends of the enclosure's
/// precision, until it decides `result`, as truncate().
template <typename Compute>
int refine_enclosure(mpfr_ptr result, const Compute& compute) {
  for (mpfr_prec_t precision = 128;; precision *= 2) {
    Enclosure value(precision);
    compute(value);
    if (const auto ternary = truncate(result, value)) return *ternary;
  }
}

/// Refines compute(Enclosure&) as refine_enclosure() does, and rounds the
/// result to the format.
template <typename Compute>
Rounded round_enclosure(const FloatFormat& format, const Compute& compute) {
  constexpr mpfr_prec_t kRounded = 64;
  Real result(kRounded);
  const int ternary = refine_enclosure(result.get(), compute);
  return round_truncated(result, ternary, format);
}

}  // namespace hlo::numeric
