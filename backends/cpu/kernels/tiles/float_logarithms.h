// Included anew for each instruction set, so without #pragma once.
#if defined(HLO_CPU_FLOAT_LOGARITHMS) == defined(HWY_TARGET_TOGGLE)
#ifdef HLO_CPU_FLOAT_LOGARITHMS
#undef HLO_CPU_FLOAT_LOGARITHMS
#else
#define HLO_CPU_FLOAT_LOGARITHMS
#endif

#include <hwy/highway.h>

#include <limits>

#include "backends/cpu/kernels/fused_floats.h"
#include "backends/cpu/kernels/tiles/float_exponentials.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {

// Logarithms in f32, for vectors of lanes. Errors are over all arguments.

/// x = (1 + r) 2^e with 1 + r from sqrt(1/2) to sqrt(2).
struct Mantissa {
  FusedFloats r;
  FusedFloats e;
};

/// Takes normal positive x apart.
HWY_INLINE Mantissa mantissa_of(FusedFloats x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> floats;
  const hn::RebindToSigned<decltype(floats)> ints;
  constexpr int32_t kRoot = 0x3f3504f3;  // of 1/2
  constexpr int32_t kOne = 0x3f800000;
  const auto from_root =
      hn::Add(hn::BitCast(ints, x), hn::Set(ints, kOne - kRoot));
  const auto e = hn::Sub(hn::ShiftRight<23>(from_root), hn::Set(ints, 127));
  const auto m = hn::Add(hn::And(from_root, hn::Set(ints, 0x7fffff)),
                         hn::Set(ints, kRoot));
  return {hn::Sub(hn::BitCast(floats, m), set_float(1)),
          hn::ConvertTo(floats, e)};
}

/// e log(2) + log(1 + r) + beside. log(1 + r) = r - r^2 / 2 + r^3 p(r), of
/// which the first two terms are two words; p is within 2^-30 of the sum,
/// relative.
HWY_INLINE FusedFloats logarithm(const Mantissa& x, FusedFloats beside) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr float kTerms[] = {0x1.14733ep-4F,  -0x1.de01dcp-4F, 0x1.e6c00ap-4F,
                              -0x1.fc28cap-4F, 0x1.233ba2p-3F,  -0x1.555c44p-3F,
                              0x1.99a476p-3F,  -0x1.000006p-2F, 0x1.555548p-2F};
  const FusedFloats square = hn::Mul(x.r, x.r);
  const FusedFloats lost = fused(x.r, x.r, hn::Neg(square));
  const FusedFloats half = set_float(-0.5F);
  const FloatWords two = sum_of_ordered(x.r, hn::Mul(half, square));
  const FusedFloats cube =
      hn::Mul(hn::Mul(square, x.r), fused_polynomial(x.r, kTerms));
  // The product with the first part of log(2), of 15 bits, is exact.
  const FloatWords sum =
      sum_of_ordered(hn::Mul(x.e, set_float(0x1.62e4p-1F)), two.high);
  const FusedFloats low = hn::Add(fused(half, lost, two.low), cube);
  const FusedFloats rest =
      hn::Add(fused(x.e, set_float(0x1.7f7d1cp-20F), sum.low), beside);
  return hn::Add(sum.high, hn::Add(low, rest));
}

/// The logarithm at the ends: of 0, infinity, NaN and what lies below 0.
HWY_INLINE FusedFloats logarithm_at_ends(FusedFloats x, FusedFloats inside) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FusedFloats zero = set_float(0);
  const FusedFloats inf = set_float(std::numeric_limits<float>::infinity());
  FusedFloats y = hn::IfThenElse(hn::Lt(x, inf), inside, inf);
  y = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(inf), y);
  y = hn::IfThenElse(hn::Lt(x, zero),
                     set_float(std::numeric_limits<float>::quiet_NaN()), y);
  return unless_nan(x, y);
}

/// log(x), within 0.64 ulp.
HWY_INLINE FusedFloats log_of(FusedFloats x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FusedFloats least = set_float(std::numeric_limits<float>::min());
  const FusedFloats most = set_float(std::numeric_limits<float>::max());
  const auto is_usual = hn::And(hn::Ge(x, least), hn::Le(x, most));
  if (hn::AllTrue(hn::ScalableTag<float>(), is_usual)) [[likely]] {
    return logarithm(mantissa_of(x), set_float(0));
  }
  const auto is_small = hn::Lt(x, least);
  Mantissa parts =
      mantissa_of(hn::IfThenElse(is_small, hn::Mul(x, set_float(0x1p23F)), x));
  parts.e = hn::IfThenElse(is_small, hn::Sub(parts.e, set_float(23)), parts.e);
  return logarithm_at_ends(x, logarithm(parts, set_float(0)));
}

/// log(1 + x), within 0.66 ulp: what the sum has lost is its part of the
/// logarithm.
HWY_INLINE FusedFloats log_of_one_more(FusedFloats x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FloatWords u = sum_of(x, set_float(1));
  Mantissa parts = mantissa_of(u.high);
  const auto is_near_one = hn::Eq(parts.e, set_float(0));
  parts.r = hn::IfThenElse(is_near_one, x, parts.r);
  const FusedFloats lost =
      hn::IfThenElse(is_near_one, set_float(0), hn::Div(u.low, u.high));
  const FusedFloats y = hn::CopySign(logarithm(parts, lost), x);
  const FusedFloats most = set_float(std::numeric_limits<float>::max());
  const auto is_usual = hn::And(hn::Gt(x, set_float(-1)), hn::Le(x, most));
  if (hn::AllTrue(hn::ScalableTag<float>(), is_usual)) [[likely]]
    return y;
  return logarithm_at_ends(u.high, y);
}

}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
