#include "backends/cpu/kernels/lanes/run_function.h"

#include <cmath>
#include <iterator>
#include <limits>

#include "backends/cpu/kernels/lanes/run_float_function.h"
#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/lanes/run_function.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/lanes/lane_operations.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<double> kDoubles;
const hn::Rebind<int64_t, decltype(kDoubles)> kLongs;
const hn::Rebind<float, decltype(kDoubles)> kHalfFloats;
const hn::Rebind<int32_t, decltype(kDoubles)> kHalfInts;

using Doubles = hn::Vec<decltype(kDoubles)>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Doubles set(double x) { return hn::Set(kDoubles, x); }

/// A function of f32 that is computed in double and rounded once.
template <class F>
void of_one(const OpLanes& lanes, F f) {
  const auto operand = lanes.source<float>(0);
  lanes.each(kHalfFloats, [&](size_t i) {
    const Doubles x = hn::PromoteTo(kDoubles, operand.load(kHalfFloats, i));
    const auto is_nan = hn::IsNaN(x);
    const Doubles y = f(hn::IfThenElse(is_nan, hn::Zero(kDoubles), x));
    return narrowed(hn::IfThenElse(is_nan, hn::Add(x, x), y));
  });
}

template <class F>
void of_two(const OpLanes& lanes, F f) {
  const auto x = lanes.source<float>(0);
  const auto y = lanes.source<float>(1);
  lanes.each(kHalfFloats, [&](size_t i) {
    return narrowed(f(hn::PromoteTo(kDoubles, x.load(kHalfFloats, i)),
                      hn::PromoteTo(kDoubles, y.load(kHalfFloats, i))));
  });
}

Doubles clamped(Doubles x, double limit) {
  return hn::Min(hn::Max(x, set(-limit)), set(limit));
}

/// terms[0] x^(n-1) + ... + terms[n-1].
template <size_t kTerms>
Doubles polynomial(Doubles x, const double (&terms)[kTerms]) {
  Doubles sum = set(terms[0]);
#pragma GCC unroll 16
  for (size_t i = 1; i < kTerms; ++i) {
    sum = hn::Add(hn::Mul(sum, x), set(terms[i]));
  }
  return sum;
}

struct Expm1 {
  Doubles scaled;  // 2^n (e^r - 1)
  Doubles power;   // 2^n
};

/// e^x = power + scaled, for |x| <= 200; the series of e^r - 1 ends within
/// 2^-30 of it, relative, for |r| <= log(2) / 2.
HWY_INLINE Expm1 expm1_parts(Doubles x) {
  const Doubles n = hn::Round(hn::Mul(x, set(0x1.71547652b82fep0)));
  Doubles r = hn::Sub(x, hn::Mul(n, set(0x1.62e42feep-1)));
  r = hn::Sub(r, hn::Mul(n, set(0x1.a39ef35793c76p-33)));
  constexpr double kSeries[] = {1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                1.0 / 720,    1.0 / 120,   1.0 / 24,
                                1.0 / 6,      0.5,         1.0};
  const auto exponent = hn::PromoteTo(kLongs, hn::DemoteTo(kHalfInts, n));
  const Doubles power = hn::BitCast(
      kDoubles, hn::ShiftLeft<52>(hn::Add(exponent, hn::Set(kLongs, 1023))));
  return {hn::Mul(power, hn::Mul(polynomial(r, kSeries), r)), power};
}

HWY_INLINE Doubles exponential(Doubles x) {
  const Expm1 parts = expm1_parts(clamped(x, 200));
  return hn::Add(parts.scaled, parts.power);
}

Doubles rsqrt(Doubles x) { return hn::Div(set(1), hn::Sqrt(x)); }

/// The logarithm of a normal number above 0. x = m 2^e with m from sqrt(1/2) to
/// sqrt(2), and log(m) = 2 atanh(f) with f = (m - 1) / (m + 1), whose series
/// ends within 2^-50 of it, relative.
Doubles log_of_normal(Doubles x) {
  constexpr double kSeries[] = {1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,
                                1.0 / 3,  1.0};
  const hn::Rebind<uint64_t, decltype(kDoubles)> words;
  const auto bits = hn::BitCast(words, x);
  // The exponent as the last bits of a number of 53.
  const auto exponent =
      hn::Or(hn::ShiftRight<52>(bits), hn::Set(words, 0x4330000000000000));
  Doubles e = hn::Sub(hn::BitCast(kDoubles, exponent), set(0x1p52 + 1023));
  const auto fraction = hn::And(bits, hn::Set(words, 0x000fffffffffffff));
  Doubles m = hn::BitCast(kDoubles,
                          hn::Or(fraction, hn::Set(words, 0x3ff0000000000000)));
  const auto is_large = hn::Gt(m, set(0x1.6a09e667f3bcdp0));
  m = hn::IfThenElse(is_large, hn::Mul(m, set(0.5)), m);
  e = hn::Add(e, hn::IfThenElseZero(is_large, set(1)));
  const Doubles f = hn::Div(hn::Sub(m, set(1)), hn::Add(m, set(1)));
  const Doubles log_m =
      hn::Mul(hn::Add(f, f), polynomial(hn::Mul(f, f), kSeries));
  return hn::Add(hn::Mul(e, set(0x1.62e42feep-1)),
                 hn::Add(hn::Mul(e, set(0x1.a39ef35793c76p-33)), log_m));
}

/// The logarithm at the ends: of 0, infinity and what lies below 0.
Doubles log_at_ends(Doubles x, Doubles inside) {
  const Doubles inf = set(kInfinity);
  Doubles y = hn::IfThenElse(hn::Lt(x, inf), inside, inf);
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(kDoubles)), hn::Neg(inf), y);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(kDoubles)), set(kNan), y);
}

Doubles log_of(Doubles x) { return log_at_ends(x, log_of_normal(x)); }

/// x without as many quarter turns as are nearest, and how many modulo 4.
struct Turned {
  Doubles rest;
  Doubles quarters;
};

constexpr double kMostTurned = 0x1p21;

/// For |x| <= kMostTurned: the products with the first two parts of pi / 2,
/// of 31 and 32 bits, are exact.
Turned turned(Doubles x) {
  const Doubles q = hn::Round(hn::Mul(x, set(0x1.45f306dc9c883p-1)));
  Doubles r = hn::Sub(x, hn::Mul(q, set(0x1.921fb544p0)));
  r = hn::Sub(r, hn::Mul(q, set(0x1.0b4611a6p-34)));
  r = hn::Sub(r, hn::Mul(q, set(0x1.3198a2e037073p-69)));
  const Doubles turns = hn::Floor(hn::Mul(q, set(0.25)));
  return {r, hn::Sub(q, hn::Mul(turns, set(4)))};
}

/// The sine of x and so many quarter turns more, for |x| <= kMostTurned.
Doubles sine_after(Doubles x, double quarters) {
  constexpr double kSine[] = {
      -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880,
      -1.0 / 5040,          1.0 / 120,        -1.0 / 6,        1.0};
  constexpr double kCosine[] = {1.0 / 20922789888000,
                                -1.0 / 87178291200,
                                1.0 / 479001600,
                                -1.0 / 3628800,
                                1.0 / 40320,
                                -1.0 / 720,
                                1.0 / 24,
                                -0.5,
                                1.0};
  const Turned t = turned(x);
  const Doubles square = hn::Mul(t.rest, t.rest);
  const Doubles sine = hn::Mul(t.rest, polynomial(square, kSine));
  const Doubles cosine = polynomial(square, kCosine);
  Doubles k = hn::Add(t.quarters, set(quarters));
  k = hn::IfThenElse(hn::Ge(k, set(4)), hn::Sub(k, set(4)), k);
  const auto is_odd = hn::Or(hn::Eq(k, set(1)), hn::Eq(k, set(3)));
  const Doubles y = hn::IfThenElse(is_odd, cosine, sine);
  return hn::IfThenElse(hn::Ge(k, set(2)), hn::Neg(y), y);
}

/// What the host says of numbers that are too large to be turned here.
template <class F>
Doubles with_host(Doubles x, Doubles y, F host) {
  const auto is_large = hn::Gt(hn::Abs(x), set(kMostTurned));
  if (hn::AllFalse(kDoubles, is_large)) return y;
  HWY_ALIGN double from[HWY_LANES(double)];
  HWY_ALIGN double to[HWY_LANES(double)];
  hn::Store(x, kDoubles, from);
  hn::Store(y, kDoubles, to);
  for (size_t i = 0; i < hn::Lanes(kDoubles); ++i) {
    if (std::abs(from[i]) > kMostTurned) to[i] = host(from[i]);
  }
  return hn::Load(kDoubles, to);
}

Doubles sine(Doubles x) {
  const Doubles y = hn::IfThenElse(hn::Eq(x, hn::Zero(kDoubles)), x,
                                   sine_after(clamped(x, kMostTurned), 0));
  return with_host(x, y, [](double large) { return std::sin(large); });
}

Doubles cosine(Doubles x) {
  return with_host(x, sine_after(clamped(x, kMostTurned), 1),
                   [](double large) { return std::cos(large); });
}

/// |x|^y with the sign of x where y is odd; the special cases are spec's.
Doubles power(Doubles x, Doubles y) {
  const Doubles zero = hn::Zero(kDoubles);
  const Doubles one = set(1);
  const Doubles magnitude = hn::Abs(x);
  const Doubles log_x =
      hn::IfThenElse(hn::Eq(magnitude, one), zero, log_of(magnitude));
  const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
  // 1 to an infinite power is 1, and 0 to the power 0.
  const auto is_one = hn::Or(hn::Eq(log_x, zero), hn::Eq(y, zero));
  const Doubles exponent =
      hn::IfThenElse(hn::Or(is_one, is_nan), zero, hn::Mul(log_x, y));
  const Doubles positive = exponential(exponent);
  const auto is_whole = hn::Eq(hn::Floor(y), y);
  const Doubles half = hn::Mul(y, set(0.5));
  const auto is_odd = hn::And(is_whole, hn::Not(hn::Eq(hn::Floor(half), half)));
  const Doubles signed_power =
      hn::IfThenElse(is_odd, hn::CopySign(positive, x), positive);
  const auto is_negative = hn::And(hn::Lt(x, zero), hn::Gt(x, set(-kInfinity)));
  const Doubles real = hn::IfThenElse(hn::And(is_negative, hn::Not(is_whole)),
                                      set(kNan), signed_power);
  const Doubles result = hn::IfThenElse(is_nan, hn::Add(x, y), real);
  const auto always = hn::Or(hn::Eq(x, one), hn::Eq(y, zero));
  return hn::IfThenElse(always, one, result);
}

bool run_on(const LaneOp& op, const Register* registers, size_t n) {
  const OpLanes lanes{op, registers, n};
  switch (op.code) {
    case Code::kRsqrtF32:
      return of_one(lanes, Inlined<rsqrt>()), true;
    case Code::kSineF32:
      return of_one(lanes, Inlined<sine>()), true;
    case Code::kCosineF32:
      return of_one(lanes, Inlined<cosine>()), true;
    case Code::kPowerF32:
      return of_two(lanes, Inlined<power>()), true;
    default:
      return false;
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run_on);

}  // namespace

bool run_function(const LaneOp& op, const Register* registers, size_t n) {
  return run_float_function(op, registers, n) ||
         HWY_DYNAMIC_DISPATCH(run_on)(op, registers, n);
}

}  // namespace hlo::cpu

#endif
