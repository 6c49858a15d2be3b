// Included anew for each instruction set, so without #pragma once.
#if defined(HLO_CPU_LOGARITHMS) == defined(HWY_TARGET_TOGGLE)
#ifdef HLO_CPU_LOGARITHMS
#undef HLO_CPU_LOGARITHMS
#else
#define HLO_CPU_LOGARITHMS
#endif

#include <hwy/highway.h>

#include <limits>

#include "backends/cpu/kernels/fused_numbers.h"
#include "backends/cpu/kernels/lanes/exponentials.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {

// Logarithms in f32 or f64, for vectors V of lanes. Errors are over all
// arguments of f32, and over those that are tried of f64.

/// What the functions know of a type.
template <class T>
struct LogarithmFacts;

template <>
struct LogarithmFacts<float> {
  static constexpr uint32_t kRoot = 0x3f3504f3;  // of 1/2
  /// A number whose last bits are those of a whole one that is added.
  static constexpr float kWhole = 0x1p23F;
  static constexpr float kBias = 127;
  static constexpr float kSmallest = 23;  // a power that makes all normal
  static constexpr float kHighLog = 0x1.62e4p-1F;  // log(2): 15 bits
  static constexpr float kLowLog = 0x1.7f7d1cp-20F;
  /// p as below: the logarithm is within 2^-30, relative.
  static constexpr float kTerms[] = {
      0x1.14733ep-4F,  -0x1.de01dcp-4F, 0x1.e6c00ap-4F,
      -0x1.fc28cap-4F, 0x1.233ba2p-3F,  -0x1.555c44p-3F,
      0x1.99a476p-3F,  -0x1.000006p-2F, 0x1.555548p-2F};
};

template <>
struct LogarithmFacts<double> {
  static constexpr uint64_t kRoot = 0x3fe6a09e667f3bcd;
  static constexpr double kWhole = 0x1p52;
  static constexpr double kBias = 1023;
  static constexpr double kSmallest = 52;
  static constexpr double kHighLog = 0x1.62e42fefa38p-1;  // 42 bits
  static constexpr double kLowLog = 0x1.ef35793c7673p-45;
  /// p as below: the logarithm is within 2^-57, relative.
  static constexpr double kTerms[] = {
      -0x1.8dbe78fbdacd0p-6, 0x1.d2b0a5dcba61fp-5,  -0x1.0106ab6d7a317p-4,
      0x1.bbacce9fddf67p-5,  -0x1.b45e85d6760abp-5, 0x1.dc97c019c8a35p-5,
      -0x1.00cfa45e5480ep-4, 0x1.1169fff91f086p-4,  -0x1.24894c25f916dp-4,
      0x1.3b0d78dc476cbp-4,  -0x1.555576b59732ap-4, 0x1.745d58cf23594p-4,
      -0x1.99999aa0d204bp-4, 0x1.c71c702e327cfp-4,  -0x1.fffffff3a59dcp-4,
      0x1.249249275d209p-3,  -0x1.555555556b1e6p-3, 0x1.9999999994dcbp-3,
      -0x1.ffffffffffe7bp-3, 0x1.555555555556bp-2};
};

template <class V>
using LogarithmFactsOf = LogarithmFacts<hwy::HWY_NAMESPACE::TFromV<V>>;

/// x = (1 + r) 2^e with 1 + r from sqrt(1/2) to sqrt(2).
template <class V>
struct Mantissa {
  V r;
  V e;
};

/// Takes normal positive x apart.
template <class V>
HWY_INLINE Mantissa<V> mantissa_of(V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Facts = LogarithmFactsOf<V>;
  const hn::DFromV<V> tag;
  const hn::RebindToUnsigned<decltype(tag)> words;
  const auto one = hn::BitCast(words, number<V>(1));
  const auto root = hn::Set(words, Facts::kRoot);
  const auto from_root = hn::Add(hn::BitCast(words, x), hn::Sub(one, root));
  const auto biased = hn::Or(hn::ShiftRight<kFractionBits<V>>(from_root),
                             hn::BitCast(words, number<V>(Facts::kWhole)));
  const V e = hn::Sub(hn::BitCast(tag, biased),
                      number<V>(Facts::kWhole + Facts::kBias));
  const auto fraction =
      hn::Set(words, (hn::TFromD<decltype(words)>{1} << kFractionBits<V>)-1);
  const auto m = hn::Add(hn::And(from_root, fraction), root);
  return {hn::Sub(hn::BitCast(tag, m), number<V>(1)), e};
}

/// e log(2) + log(1 + r) + beside. log(1 + r) = r - r^2 / 2 + r^3 p(r), of
/// which the first two terms are two words.
template <class V>
HWY_INLINE V logarithm(const Mantissa<V>& x, V beside) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Facts = LogarithmFactsOf<V>;
  const V square = hn::Mul(x.r, x.r);
  const V lost = fused(x.r, x.r, hn::Neg(square));
  const V half = number<V>(-0.5);
  const Words<V> two = sum_of_ordered(x.r, hn::Mul(half, square));
  const V cube =
      hn::Mul(hn::Mul(square, x.r), fused_polynomial(x.r, Facts::kTerms));
  // The product with the first part of log(2) is exact.
  const Words<V> sum =
      sum_of_ordered(hn::Mul(x.e, number<V>(Facts::kHighLog)), two.high);
  const V low = hn::Add(fused(half, lost, two.low), cube);
  const V rest =
      hn::Add(fused(x.e, number<V>(Facts::kLowLog), sum.low), beside);
  return hn::Add(sum.high, hn::Add(low, rest));
}

/// The logarithm at the ends: of 0, infinity, NaN and what lies below 0.
template <class V>
HWY_INLINE V logarithm_at_ends(V x, V inside) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Limits = std::numeric_limits<hn::TFromV<V>>;
  const V zero = number<V>(0);
  const V inf = number<V>(Limits::infinity());
  V y = hn::IfThenElse(hn::Lt(x, inf), inside, inf);
  y = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(inf), y);
  y = hn::IfThenElse(hn::Lt(x, zero), number<V>(Limits::quiet_NaN()), y);
  return unless_nan(x, y);
}

/// log(x), within 0.64 ulp.
template <class V>
HWY_INLINE V log_of(V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Facts = LogarithmFactsOf<V>;
  using Limits = std::numeric_limits<hn::TFromV<V>>;
  const V least = number<V>(Limits::min());
  const auto is_usual =
      hn::And(hn::Ge(x, least), hn::Le(x, number<V>(Limits::max())));
  if (hn::AllTrue(hn::DFromV<V>(), is_usual)) [[likely]] {
    return logarithm(mantissa_of(x), number<V>(0));
  }
  const auto is_small = hn::Lt(x, least);
  const V scaled = hn::Mul(x, number<V>(Facts::kWhole));
  Mantissa<V> parts = mantissa_of(hn::IfThenElse(is_small, scaled, x));
  parts.e = hn::IfThenElse(
      is_small, hn::Sub(parts.e, number<V>(Facts::kSmallest)), parts.e);
  return logarithm_at_ends(x, logarithm(parts, number<V>(0)));
}

/// log(1 + x), within 0.66 ulp: what the sum has lost is its part of the
/// logarithm.
template <class V>
HWY_INLINE V log_of_one_more(V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Limits = std::numeric_limits<hn::TFromV<V>>;
  const Words<V> u = sum_of(x, number<V>(1));
  Mantissa<V> parts = mantissa_of(u.high);
  const auto is_near_one = hn::Eq(parts.e, number<V>(0));
  parts.r = hn::IfThenElse(is_near_one, x, parts.r);
  const V lost =
      hn::IfThenElse(is_near_one, number<V>(0), hn::Div(u.low, u.high));
  const V y = hn::CopySign(logarithm(parts, lost), x);
  const auto is_usual =
      hn::And(hn::Gt(x, number<V>(-1)), hn::Le(x, number<V>(Limits::max())));
  if (hn::AllTrue(hn::DFromV<V>(), is_usual)) [[likely]]
    return y;
  return logarithm_at_ends(u.high, y);
}

}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
