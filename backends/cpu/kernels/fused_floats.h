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

}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
