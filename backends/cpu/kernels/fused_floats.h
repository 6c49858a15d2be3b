// Included anew for each instruction set, so without #pragma once.
#if defined(HLO_CPU_FUSED_FLOATS) == defined(HWY_TARGET_TOGGLE)
#ifdef HLO_CPU_FUSED_FLOATS
#undef HLO_CPU_FUSED_FLOATS
#else
#define HLO_CPU_FUSED_FLOATS
#endif

#include <hwy/highway.h>

#include <cmath>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {

using FusedFloats =
    hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<float>>;

/// x y + sum of each lane, rounded once, where the hardware has no such
/// operation too.
HWY_INLINE FusedFloats fused(FusedFloats x, FusedFloats y, FusedFloats sum) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_NATIVE_FMA
  return hn::MulAdd(x, y, sum);
#else
  const hn::ScalableTag<float> floats;
  HWY_ALIGN float lanes[3][HWY_LANES(float)];
  hn::Store(x, floats, lanes[0]);
  hn::Store(y, floats, lanes[1]);
  hn::Store(sum, floats, lanes[2]);
  for (size_t i = 0; i < hn::Lanes(floats); ++i) {
    lanes[2][i] = std::fma(lanes[0][i], lanes[1][i], lanes[2][i]);
  }
  return hn::Load(floats, lanes[2]);
#endif
}

/// terms[0] x^(n-1) + ... + terms[n-1], of fused products.
template <size_t kTerms>
HWY_INLINE FusedFloats fused_polynomial(FusedFloats x,
                                        const float (&terms)[kTerms]) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> floats;
  FusedFloats sum = hn::Set(floats, terms[0]);
#pragma GCC unroll 16
  for (size_t i = 1; i < kTerms; ++i) {
    sum = fused(sum, x, hn::Set(floats, terms[i]));
  }
  return sum;
}

/// high + low, where low is what rounding high has lost.
struct FloatWords {
  FusedFloats high;
  FusedFloats low;
};

/// x + y for |x| >= |y|, or where x is 0.
HWY_INLINE FloatWords sum_of_ordered(FusedFloats x, FusedFloats y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FusedFloats high = hn::Add(x, y);
  return {high, hn::Sub(y, hn::Sub(high, x))};
}

HWY_INLINE FloatWords sum_of(FusedFloats x, FusedFloats y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const FusedFloats high = hn::Add(x, y);
  const FusedFloats of_y = hn::Sub(high, x);
  const FusedFloats of_x = hn::Sub(high, of_y);
  return {high, hn::Add(hn::Sub(x, of_x), hn::Sub(y, of_y))};
}

}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
