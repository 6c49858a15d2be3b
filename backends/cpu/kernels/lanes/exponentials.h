// Included anew for each instruction set, so without #pragma once.
#if defined(HLO_CPU_EXPONENTIALS) == defined(HWY_TARGET_TOGGLE)
#ifdef HLO_CPU_EXPONENTIALS
#undef HLO_CPU_EXPONENTIALS
#else
#define HLO_CPU_EXPONENTIALS
#endif

#include <hwy/highway.h>

#include "backends/cpu/kernels/fused_numbers.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {

// Functions of e^x in f32 or f64, for vectors V of lanes. Errors are over all
// arguments of f32, and over those that are tried of f64.

/// What the functions know of a type.
template <class T>
struct ExponentialFacts;

template <>
struct ExponentialFacts<float> {
  /// A sum with this is a number of |x| <= 2^22 as an integer, in its last
  /// bits.
  static constexpr float kWhole = 0x1.8p23F;
  static constexpr float kInverseLog = 0x1.715476p0F;  // 1 / log(2)
  static constexpr float kHighLog = 0x1.62e4p-1F;      // log(2) in two parts
  static constexpr float kLowLog = 0x1.7f7d1cp-20F;
  // Where no result of a vector is near the ends of the range, they are found
  // sooner: for |x| up to this.
  static constexpr float kUsual = 87;
  static constexpr float kMost = 110;       // e^x is infinity, e^-x 0
  static constexpr float kNothing = 60;     // 2^-this changes no sum with 1
  static constexpr float kMinusOne = 20;    // e^-this - 1 is -1
  static constexpr float kMostOfTanh = 10;  // behind it tanh is 1
  /// (e^r - 1 - r) / r^2: within 2^-28 of e^r.
  static constexpr float kTerms[] = {0x1.6ad158p-10F, 0x1.123f3p-7F,
                                     0x1.55584ep-5F, 0x1.55548ap-3F,
                                     0x1.fffffcp-2F};
  /// Within 2^-31 of e^r - 1, relative.
  static constexpr float kNearTerms[] = {0x1.9e738ep-13F, 0x1.6d3a4cp-10F,
                                         0x1.1112d8p-7F,  0x1.5554f8p-5F,
                                         0x1.555554p-3F,  0x1p-1F};
};

template <>
struct ExponentialFacts<double> {
  static constexpr double kWhole = 0x1.8p52;
  static constexpr double kInverseLog = 0x1.71547652b82fep0;
  static constexpr double kHighLog = 0x1.62e42fefa39efp-1;
  static constexpr double kLowLog = 0x1.abc9e3b39803fp-56;
  static constexpr double kUsual = 708;
  static constexpr double kMost = 750;
  static constexpr double kNothing = 120;
  static constexpr double kMinusOne = 40;
  static constexpr double kMostOfTanh = 20;
  /// Within 2^-59 of e^r and of e^r - 1, relative.
  static constexpr double kTerms[] = {0x1.1ef5225e7664dp-29,
                                      0x1.af5d20ea22272p-26,
                                      0x1.27e52b2bde1c2p-22,
                                      0x1.71ddf953821eep-19,
                                      0x1.a01a018307019p-16,
                                      0x1.a01a01af75bd0p-13,
                                      0x1.6c16c16c1ccdep-10,
                                      0x1.111111110f7ecp-7,
                                      0x1.5555555555549p-5,
                                      0x1.5555555555559p-3,
                                      0x1p-1};
  static constexpr const auto& kNearTerms = kTerms;
};

template <class V>
using ExponentialFactsOf = ExponentialFacts<hwy::HWY_NAMESPACE::TFromV<V>>;

/// The bits of a vector, and how far left those of its exponents stand.
template <class V>
using SignedTagOf =
    hwy::HWY_NAMESPACE::RebindToSigned<hwy::HWY_NAMESPACE::DFromV<V>>;
template <class V>
inline constexpr int kFractionBits =
    hwy::MantissaBits<hwy::HWY_NAMESPACE::TFromV<V>>();

/// x 2^n where the product is normal; n is a sum with kWhole.
template <class V>
HWY_INLINE V times_power_inside(V x, V n) {
  namespace hn = hwy::HWY_NAMESPACE;
  const SignedTagOf<V> ints;
  const auto moved = hn::ShiftLeft<kFractionBits<V>>(hn::BitCast(ints, n));
  return hn::BitCast(hn::DFromV<V>(), hn::Add(hn::BitCast(ints, x), moved));
}

/// 2^n for integers n that are exponents of normal numbers.
template <class V>
HWY_INLINE V power_of_two(V n) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V shifted = hn::Add(n, number<V>(ExponentialFactsOf<V>::kWhole));
  return times_power_inside(number<V>(1), shifted);
}

/// 2^-n where it is normal; n is a sum with kWhole.
template <class V>
HWY_INLINE V inverse_power(V n) {
  namespace hn = hwy::HWY_NAMESPACE;
  const SignedTagOf<V> ints;
  const auto moved = hn::ShiftLeft<kFractionBits<V>>(hn::BitCast(ints, n));
  const auto one = hn::BitCast(ints, number<V>(1));
  return hn::BitCast(hn::DFromV<V>(), hn::Sub(one, moved));
}

/// x 2^n, rounded once, for integers n up to twice the largest exponent and
/// normal x whose product with 2^(n / 2) is normal.
template <class V>
HWY_INLINE V times_power_of_two(V x, V n) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (kFractionBits<V> == 23) {
    return V{_mm512_scalef_ps(x.raw, n.raw)};
  } else {
    return V{_mm512_scalef_pd(x.raw, n.raw)};
  }
#else
  // 2^n may be beyond the range where the product is not.
  namespace hn = hwy::HWY_NAMESPACE;
  const V half = hn::Floor(hn::Mul(n, number<V>(0.5)));
  return hn::Mul(hn::Mul(x, power_of_two(half)),
                 power_of_two(hn::Sub(n, half)));
#endif
}

/// e^x = (1 + high + beside) 2^n, |high| below 0.347 and exact.
template <class V>
struct ReducedExponential {
  V high;
  V beside;
  V shifted;  // n + kWhole

  V n() const {
    return hwy::HWY_NAMESPACE::Sub(shifted,
                                   number<V>(ExponentialFactsOf<V>::kWhole));
  }
};

/// For x between -kMost and kMost: x = n log(2) + r, where r is high and a
/// small rest, low. The terms are those of (e^r - 1 - r) / r^2, whose product
/// with the square of r counts the rest in once.
template <class V, size_t kCount>
HWY_INLINE ReducedExponential<V> reduced_by(
    V x, const hwy::HWY_NAMESPACE::TFromV<V> (&terms)[kCount]) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Facts = ExponentialFactsOf<V>;
  const V whole = number<V>(Facts::kWhole);
  const V shifted = fused(x, number<V>(Facts::kInverseLog), whole);
  const V n = hn::Sub(shifted, whole);
  const V high = fused(n, number<V>(-Facts::kHighLog), x);
  const V low = hn::Mul(n, number<V>(-Facts::kLowLog));
  if constexpr (kFractionBits<V> == 23) {
    const V r = hn::Add(high, low);
    const V beside = fused(hn::Mul(r, r), fused_polynomial(r, terms), low);
    return {high, beside, shifted};
  } else {
    // The sum would lose more than all else; squares of low are nothing.
    const V part = hn::Mul(hn::Mul(high, high), fused_polynomial(high, terms));
    const V rest = fused(low, hn::Add(high, part), low);
    return {high, hn::Add(part, rest), shifted};
  }
}

template <class V>
HWY_INLINE ReducedExponential<V> reduced_exponential(V x) {
  return reduced_by(x, ExponentialFactsOf<V>::kTerms);
}

template <class V>
HWY_INLINE ReducedExponential<V> near_exponential(V x) {
  return reduced_by(x, ExponentialFactsOf<V>::kNearTerms);
}

/// 1 + power + high + beside, for a power of two or one less than 0.
template <class V>
HWY_INLINE Words<V> sum_with(V power, const ReducedExponential<V>& parts) {
  namespace hn = hwy::HWY_NAMESPACE;
  // Beside the larger one of 1 and the power nothing needs to be exact.
  const Words<V> start = sum_of_ordered(number<V>(1), power);
  const Words<V> sum = sum_of_ordered(start.high, parts.high);
  const V low = hn::Add(sum.low, start.low);
  return sum_of_ordered(sum.high, hn::Add(low, parts.beside));
}

/// 1 + high + beside.
template <class V>
HWY_INLINE Words<V> sum_of(const ReducedExponential<V>& parts) {
  namespace hn = hwy::HWY_NAMESPACE;
  const Words<V> sum = sum_of_ordered(number<V>(1), parts.high);
  return sum_of_ordered(sum.high, hn::Add(sum.low, parts.beside));
}

/// The limits where x is beyond them; NaN becomes a number.
template <class V>
HWY_INLINE V inside_of(V x, hwy::HWY_NAMESPACE::TFromV<V> least,
                       hwy::HWY_NAMESPACE::TFromV<V> most) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V below =
      hn::IfThenElse(hn::Lt(x, number<V>(most)), x, number<V>(most));
  return hn::Max(below, number<V>(least));
}

/// Whether no |x| of a vector is larger, and none is NaN.
template <class V>
HWY_INLINE bool are_within(V x, hwy::HWY_NAMESPACE::TFromV<V> most) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::AllTrue(hn::DFromV<V>(), hn::Le(hn::Abs(x), number<V>(most)));
}

/// The result for x, which is NaN where x is.
template <class V>
HWY_INLINE V unless_nan(V x, V result) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x), result);
}

/// e^x, within 0.69 ulp, where it is subnormal within 0.78.
template <class V>
HWY_INLINE V exponential_of(V x) {
  using Facts = ExponentialFactsOf<V>;
  if (are_within(x, Facts::kUsual)) [[likely]] {
    const ReducedExponential<V> parts = reduced_exponential(x);
    return times_power_inside(sum_of(parts).high, parts.shifted);
  }
  const ReducedExponential<V> parts =
      reduced_exponential(inside_of(x, -Facts::kMost, Facts::kMost));
  return unless_nan(x, times_power_of_two(sum_of(parts).high, parts.n()));
}

/// e^x - 1, within 0.89 ulp: (1 - 2^-n + high + beside) 2^n.
template <class V>
HWY_INLINE V exponential_less_one(V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Facts = ExponentialFactsOf<V>;
  if (are_within(x, Facts::kUsual)) [[likely]] {
    const ReducedExponential<V> parts = near_exponential(x);
    const V power = inverse_power(parts.shifted);
    const V rest = sum_with(hn::Neg(power), parts).high;
    return hn::CopySign(times_power_inside(rest, parts.shifted), x);
  }
  const ReducedExponential<V> parts =
      near_exponential(inside_of(x, -Facts::kMinusOne, Facts::kMost));
  const V power =
      power_of_two(hn::Max(hn::Neg(parts.n()), number<V>(-Facts::kNothing)));
  const V rest = sum_with(hn::Neg(power), parts).high;
  return unless_nan(x, hn::CopySign(times_power_of_two(rest, parts.n()), x));
}

/// x / y, rounded but in the last sum to two words.
template <class V>
HWY_INLINE V quotient(const Words<V>& x, const Words<V>& y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V inverse = hn::Div(number<V>(1), y.high);
  const V first = hn::Mul(x.high, inverse);
  const V back = hn::Neg(first);
  const V rest =
      hn::Add(fused(back, y.high, x.high), fused(back, y.low, x.low));
  return fused(rest, inverse, first);
}

/// tanh(x), within 0.77 ulp: (e^2x - 1) / (e^2x + 1), both without 2^n.
template <class V>
HWY_INLINE V tanh_of(V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr auto kMost = ExponentialFactsOf<V>::kMostOfTanh;
  V inside = hn::Abs(x);
  const bool is_usual = are_within(x, kMost);
  if (!is_usual) [[unlikely]]
    inside = inside_of(inside, 0, kMost);
  const ReducedExponential<V> parts = near_exponential(hn::Add(inside, inside));
  const V power = inverse_power(parts.shifted);
  const V y = hn::CopySign(
      quotient(sum_with(hn::Neg(power), parts), sum_with(power, parts)), x);
  return is_usual ? y : unless_nan(x, y);
}

/// 1 / (1 + high + beside + 2^-n), where e^-x = (1 + high + beside) 2^n.
template <class V>
HWY_INLINE V inverse_of_sum(const ReducedExponential<V>& parts, V power) {
  namespace hn = hwy::HWY_NAMESPACE;
  const Words<V> rest = sum_of(parts);
  const Words<V> sum = sum_of(rest.high, power);
  const V low = hn::Add(sum.low, rest.low);
  const V inverse = hn::Div(number<V>(1), sum.high);
  const V back = hn::Neg(inverse);
  const V lost = fused(back, low, fused(back, sum.high, number<V>(1)));
  return fused(lost, inverse, inverse);
}

/// 1 / (1 + e^-x), within 0.64 ulp, where it is subnormal within 0.79.
template <class V>
HWY_INLINE V logistic_of(V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Facts = ExponentialFactsOf<V>;
  if (are_within(x, Facts::kUsual)) [[likely]] {
    const ReducedExponential<V> parts = near_exponential(hn::Neg(x));
    const V power = inverse_power(parts.shifted);
    return hn::Mul(inverse_of_sum(parts, power), power);
  }
  const ReducedExponential<V> parts =
      near_exponential(inside_of(hn::Neg(x), -Facts::kMinusOne, Facts::kMost));
  const V n = hn::Neg(parts.n());
  const V power = power_of_two(hn::Max(n, number<V>(-Facts::kNothing)));
  return unless_nan(x, times_power_of_two(inverse_of_sum(parts, power), n));
}

}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
