// Included anew for each instruction set, so without #pragma once.
#if defined(HLO_CPU_FUSED_NUMBERS) == defined(HWY_TARGET_TOGGLE)
#ifdef HLO_CPU_FUSED_NUMBERS
#undef HLO_CPU_FUSED_NUMBERS
#else
#define HLO_CPU_FUSED_NUMBERS
#endif

#include <hwy/highway.h>

#include <cmath>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {

// For vectors V of lanes, where they are numbers of f32 or f64.

/// A function as a type: a loop that is given its address calls it for each
/// vector, which it hands over in memory.
template <auto kFunction>
struct Inlined {
  template <class... Vectors>
  HWY_INLINE auto operator()(Vectors... x) const {
    return kFunction(x...);
  }
};

/// The number in all lanes.
template <class V>
HWY_INLINE V number(hwy::HWY_NAMESPACE::TFromV<V> x) {
  return hwy::HWY_NAMESPACE::Set(hwy::HWY_NAMESPACE::DFromV<V>(), x);
}

/// x y + sum of each lane, rounded once, where the hardware has no such
/// operation too.
template <class V>
HWY_INLINE V fused(V x, V y, V sum) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_NATIVE_FMA
  return hn::MulAdd(x, y, sum);
#else
  using T = hn::TFromV<V>;
  const hn::DFromV<V> tag;
  HWY_ALIGN T lanes[3][HWY_LANES(T)];
  hn::Store(x, tag, lanes[0]);
  hn::Store(y, tag, lanes[1]);
  hn::Store(sum, tag, lanes[2]);
  for (size_t i = 0; i < hn::Lanes(tag); ++i) {
    lanes[2][i] = std::fma(lanes[0][i], lanes[1][i], lanes[2][i]);
  }
  return hn::Load(tag, lanes[2]);
#endif
}

/// terms[0] x^(n-1) + ... + terms[n-1], of fused products.
template <class V, size_t kTerms>
HWY_INLINE V
fused_polynomial(V x, const hwy::HWY_NAMESPACE::TFromV<V> (&terms)[kTerms]) {
  V sum = number<V>(terms[0]);
#pragma GCC unroll 32
  for (size_t i = 1; i < kTerms; ++i) {
    sum = fused(sum, x, number<V>(terms[i]));
  }
  return sum;
}

/// high + low, where low is what rounding high has lost.
template <class V>
struct Words {
  V high;
  V low;
};

/// x + y for |x| >= |y|, or where x is 0.
template <class V>
HWY_INLINE Words<V> sum_of_ordered(V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V high = hn::Add(x, y);
  return {high, hn::Sub(y, hn::Sub(high, x))};
}

template <class V>
HWY_INLINE Words<V> sum_of(V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V high = hn::Add(x, y);
  const V of_y = hn::Sub(high, x);
  const V of_x = hn::Sub(high, of_y);
  return {high, hn::Add(hn::Sub(x, of_x), hn::Sub(y, of_y))};
}

}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
