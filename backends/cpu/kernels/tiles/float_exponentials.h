// Included anew for each instruction set, so without #pragma once.
#if defined(HLO_CPU_FLOAT_EXPONENTIALS) == defined(HWY_TARGET_TOGGLE)
#ifdef HLO_CPU_FLOAT_EXPONENTIALS
#undef HLO_CPU_FLOAT_EXPONENTIALS
#else
#define HLO_CPU_FLOAT_EXPONENTIALS
#endif

#include <hwy/highway.h>

#include "backends/cpu/kernels/fused_floats.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {

// Functions of e^x in f32, for vectors of lanes. Errors are over all arguments.

/// A sum with this is a number of |x| <= 2^22 as an integer, in its last bits.
inline constexpr float kWhole = 0x1.8p23F;

HWY_INLINE FusedFloats set_float(float number) {
  return hwy::HWY_NAMESPACE::Set(hwy::HWY_NAMESPACE::ScalableTag<float>(),
                                 number);
}

/// 2^n for integers -126 <= n <= 127.
HWY_INLINE FusedFloats power_of_two(FusedFloats n) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> floats;
  const hn::RebindToSigned<decltype(floats)> ints;
  const auto biased = hn::Add(hn::ConvertTo(ints, n), hn::Set(ints, 127));
  return hn::BitCast(floats, hn::ShiftLeft<23>(biased));
}

/// x 2^n, rounded once, for integers |n| <= 252 and normal x whose product with
/// 2^(n / 2) is normal.
HWY_INLINE FusedFloats times_power_of_two(FusedFloats x, FusedFloats n) {
#if HWY_TARGET == HWY_AVX3
  return FusedFloats{_mm512_scalef_ps(x.raw, n.raw)};
#else
  // 2^n may be beyond the range where the product is not.
  namespace hn = hwy::HWY_NAMESPACE;
  const FusedFloats half = hn::Floor(hn::Mul(n, set_float(0.5F)));
  return hn::Mul(hn::Mul(x, power_of_two(half)),
                 power_of_two(hn::Sub(n, half)));
#endif
}

/// x 2^n where the product is normal; n is a sum with kWhole.
HWY_INLINE FusedFloats times_power_inside(FusedFloats x, FusedFloats n) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> floats;
  const hn::RebindToSigned<decltype(floats)> ints;
  return hn::BitCast(floats, hn::Add(hn::BitCast(ints, x),
                                     hn::ShiftLeft<23>(hn::BitCast(ints, n))));
}

/// 2^-n for |n| <= 126; n is a sum with kWhole.
HWY_INLINE FusedFloats inverse_power(FusedFloats n) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> floats;
  const hn::RebindToSigned<decltype(floats)> ints;
  const auto one = hn::BitCast(ints, set_float(1));
  return hn::BitCast(floats,
                     hn::Sub(one, hn::ShiftLeft<23>(hn::BitCast(ints, n))));
}

/// e^x = (1 + high + beside) 2^n, |high| below 0.347 and exact.
struct ReducedExponential {
  FusedFloats high;
  FusedFloats beside;
  FusedFloats shifted;  // n + kWhole

  FusedFloats n() const {
    return hwy::HWY_NAMESPACE::Sub(shifted, set_float(kWhole));
  }
};

/// For |x| <= 160: x = n log(2) + r, where r is high and a small rest. The
/// terms are those of (e^r - 1 - r) / r^2, whose product with the square of r
/// counts the rest in once.
template <size_t kTerms>
HWY_INLINE ReducedExponential
reduced_exponential(FusedFloats x, const float (&terms)[kTerms]) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FusedFloats shifted =
      fused(x, set_float(0x1.715476p0F), set_float(kWhole));
  const FusedFloats n = hn::Sub(shifted, set_float(kWhole));
  const FusedFloats high = fused(n, set_float(-0x1.62e4p-1F), x);
  const FusedFloats low = hn::Mul(n, set_float(-0x1.7f7d1cp-20F));
  const FusedFloats r = hn::Add(high, low);
  const FusedFloats beside =
      fused(hn::Mul(r, r), fused_polynomial(r, terms), low);
  return {high, beside, shifted};
}

/// The terms are within 2^-28 of e^r.
HWY_INLINE ReducedExponential reduced_exponential(FusedFloats x) {
  constexpr float kTerms[] = {0x1.6ad158p-10F, 0x1.123f3p-7F, 0x1.55584ep-5F,
                              0x1.55548ap-3F, 0x1.fffffcp-2F};
  return reduced_exponential(x, kTerms);
}

/// The terms are within 2^-31 of e^r - 1, relative.
HWY_INLINE ReducedExponential near_exponential(FusedFloats x) {
  constexpr float kTerms[] = {0x1.9e738ep-13F, 0x1.6d3a4cp-10F, 0x1.1112d8p-7F,
                              0x1.5554f8p-5F,  0x1.555554p-3F,  0x1p-1F};
  return reduced_exponential(x, kTerms);
}

/// 1 + power + high + beside, for a power of two or one less than 0.
HWY_INLINE FloatWords sum_with(FusedFloats power,
                               const ReducedExponential& parts) {
  namespace hn = hwy::HWY_NAMESPACE;
  // Beside the larger one of 1 and the power nothing needs to be exact.
  const FloatWords start = sum_of_ordered(set_float(1), power);
  const FloatWords sum = sum_of_ordered(start.high, parts.high);
  const FusedFloats low = hn::Add(sum.low, start.low);
  return sum_of_ordered(sum.high, hn::Add(low, parts.beside));
}

/// 1 + high + beside.
HWY_INLINE FloatWords sum_of(const ReducedExponential& parts) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FloatWords sum = sum_of_ordered(set_float(1), parts.high);
  return sum_of_ordered(sum.high, hn::Add(sum.low, parts.beside));
}

/// The limits where x is beyond them; NaN becomes a number.
HWY_INLINE FusedFloats inside_of(FusedFloats x, float least, float most) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FusedFloats below =
      hn::IfThenElse(hn::Lt(x, set_float(most)), x, set_float(most));
  return hn::Max(below, set_float(least));
}

/// Whether no |x| of a vector is larger, and none is NaN.
HWY_INLINE bool are_within(FusedFloats x, float most) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::AllTrue(hn::ScalableTag<float>(),
                     hn::Le(hn::Abs(x), set_float(most)));
}

/// The result for x, which is NaN where x is.
HWY_INLINE FusedFloats unless_nan(FusedFloats x, FusedFloats result) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::IfThenElse(hn::IsNaN(x), hn::Add(x, x), result);
}

// Where no result of a vector is near the ends of the range, they are found
// sooner: for |x| up to this.
inline constexpr float kUsual = 87;

/// e^x, within 0.69 ulp, where it is subnormal within 0.78.
HWY_INLINE FusedFloats exponential_of(FusedFloats x) {
  if (are_within(x, kUsual)) [[likely]] {
    const ReducedExponential parts = reduced_exponential(x);
    return times_power_inside(sum_of(parts).high, parts.shifted);
  }
  const ReducedExponential parts = reduced_exponential(inside_of(x, -110, 110));
  return unless_nan(x, times_power_of_two(sum_of(parts).high, parts.n()));
}

/// e^x - 1, within 0.89 ulp: (1 - 2^-n + high + beside) 2^n.
HWY_INLINE FusedFloats exponential_less_one(FusedFloats x) {
  namespace hn = hwy::HWY_NAMESPACE;
  if (are_within(x, kUsual)) [[likely]] {
    const ReducedExponential parts = near_exponential(x);
    const FusedFloats power = inverse_power(parts.shifted);
    const FusedFloats rest = sum_with(hn::Neg(power), parts).high;
    return hn::CopySign(times_power_inside(rest, parts.shifted), x);
  }
  const ReducedExponential parts = near_exponential(inside_of(x, -20, 110));
  // Where 2^-n is less it changes nothing.
  const FusedFloats power =
      power_of_two(hn::Max(hn::Neg(parts.n()), set_float(-60)));
  const FusedFloats rest = sum_with(hn::Neg(power), parts).high;
  return unless_nan(x, hn::CopySign(times_power_of_two(rest, parts.n()), x));
}

/// x / y, rounded but in the last sum to two words.
HWY_INLINE FusedFloats quotient(const FloatWords& x, const FloatWords& y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FusedFloats inverse = hn::Div(set_float(1), y.high);
  const FusedFloats first = hn::Mul(x.high, inverse);
  const FusedFloats back = hn::Neg(first);
  const FusedFloats rest =
      hn::Add(fused(back, y.high, x.high), fused(back, y.low, x.low));
  return fused(rest, inverse, first);
}

/// tanh(x), within 0.77 ulp: (e^2x - 1) / (e^2x + 1), both without 2^n.
HWY_INLINE FusedFloats tanh_of(FusedFloats x) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr float kMost = 10;  // behind it the number that f32 has is 1
  FusedFloats inside = hn::Abs(x);
  const bool is_usual = are_within(x, kMost);
  if (!is_usual) [[unlikely]]
    inside = inside_of(inside, 0, kMost);
  const ReducedExponential parts = near_exponential(hn::Add(inside, inside));
  const FusedFloats power = inverse_power(parts.shifted);
  const FusedFloats y = hn::CopySign(
      quotient(sum_with(hn::Neg(power), parts), sum_with(power, parts)), x);
  return is_usual ? y : unless_nan(x, y);
}

/// 1 / (1 + high + beside + 2^-n), where e^-x = (1 + high + beside) 2^n.
HWY_INLINE FusedFloats inverse_of_sum(const ReducedExponential& parts,
                                      FusedFloats power) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FloatWords rest = sum_of(parts);
  const FloatWords sum = sum_of(rest.high, power);
  const FusedFloats low = hn::Add(sum.low, rest.low);
  const FusedFloats inverse = hn::Div(set_float(1), sum.high);
  const FusedFloats back = hn::Neg(inverse);
  const FusedFloats lost =
      fused(back, low, fused(back, sum.high, set_float(1)));
  return fused(lost, inverse, inverse);
}

/// 1 / (1 + e^-x), within 0.64 ulp, where it is subnormal within 0.79.
HWY_INLINE FusedFloats logistic_of(FusedFloats x) {
  namespace hn = hwy::HWY_NAMESPACE;
  if (are_within(x, kUsual)) [[likely]] {
    const ReducedExponential parts = near_exponential(hn::Neg(x));
    const FusedFloats power = inverse_power(parts.shifted);
    return hn::Mul(inverse_of_sum(parts, power), power);
  }
  const ReducedExponential parts =
      near_exponential(inside_of(hn::Neg(x), -20, 110));
  const FusedFloats n = hn::Neg(parts.n());
  const FusedFloats power = power_of_two(hn::Max(n, set_float(-60)));
  return unless_nan(x, times_power_of_two(inverse_of_sum(parts, power), n));
}

}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
