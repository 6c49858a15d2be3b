// Included anew for each instruction set, so without #pragma once.
#if defined(HLO_CPU_LANE_OPERATIONS) == defined(HWY_TARGET_TOGGLE)
#ifdef HLO_CPU_LANE_OPERATIONS
#undef HLO_CPU_LANE_OPERATIONS
#else
#define HLO_CPU_LANE_OPERATIONS
#endif

#include <hwy/highway.h>

#include <cmath>

#include "backends/cpu/kernels/fused_numbers.h"
#include "backends/cpu/kernels/lanes/lane_op.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {

template <class T>
using VectorOf = hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<T>>;

/// The lanes of an operand.
template <class T>
struct Source {
  const T* first;
  size_t mask;

  VectorOf<T> operator[](size_t i) const {
    return load(hwy::HWY_NAMESPACE::ScalableTag<T>(), i);
  }

  /// As many as the tag has.
  template <class Tag>
  auto load(Tag tag, size_t i) const {
    return hwy::HWY_NAMESPACE::LoadU(tag, first + (i & mask));
  }

  bool is_one_number() const { return mask == 0; }
};

/// Lanes of which each is another number.
template <class T>
struct OneByOne {
  const T* first;

  VectorOf<T> operator[](size_t i) const {
    return hwy::HWY_NAMESPACE::LoadU(hwy::HWY_NAMESPACE::ScalableTag<T>(),
                                     first + i);
  }
};

/// Lanes that are all the same number.
template <class T>
struct OneNumber {
  VectorOf<T> number;

  VectorOf<T> operator[](size_t) const { return number; }
};

/// One operation on n lanes of some registers.
struct OpLanes {
  const LaneOp& op;
  const Register* registers;
  size_t n;

  template <class T>
  Source<T> source(size_t operand) const {
    const Register& own = registers[op.operands[operand]];
    return {reinterpret_cast<const T*>(own.first), own.mask};
  }

  /// Stores what f(i) gives for the lanes from i on, as many as the tag has.
  template <class Tag, class F>
  HWY_INLINE void each(Tag tag, F f) const {
    using T = hwy::HWY_NAMESPACE::TFromD<Tag>;
    T* const to = reinterpret_cast<T*>(registers[op.out].first);
    for (size_t i = 0; i < n; i += hwy::HWY_NAMESPACE::Lanes(tag)) {
      hwy::HWY_NAMESPACE::StoreU(f(i), tag, to + i);
    }
  }
};

template <class T, class F>
HWY_INLINE void unary(const OpLanes& lanes, F f) {
  const auto x = lanes.source<T>(0);
  lanes.each(hwy::HWY_NAMESPACE::ScalableTag<T>(),
             [&](size_t i) { return f(x[i]); });
}

/// Stores what f makes of vectors of both operands, as many lanes as the tag
/// has. What an operand is decides before the loop how it is read, which takes
/// as long as to add it.
template <class T, class Tag, class F>
HWY_INLINE void pairs(const OpLanes& lanes, Tag tag, F f) {
  const auto x = lanes.source<T>(0);
  const auto y = lanes.source<T>(1);
  const auto combine = [&](const auto& left, const auto& right) {
    lanes.each(tag, [&](size_t i) { return f(left[i], right[i]); });
  };
  if (x.is_one_number()) return combine(x, y);
  const OneByOne<T> numbers{x.first};
  if (y.is_one_number()) return combine(numbers, OneNumber<T>{y[0]});
  combine(numbers, OneByOne<T>{y.first});
}

template <class T, class F>
HWY_INLINE void binary(const OpLanes& lanes, F f) {
  pairs<T>(lanes, hwy::HWY_NAMESPACE::ScalableTag<T>(), f);
}

// Operations of several types.
inline constexpr auto kAdd = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Add(x, y);
};
inline constexpr auto kSubtract = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Sub(x, y);
};
inline constexpr auto kMultiply = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Mul(x, y);
};
inline constexpr auto kDivide = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Div(x, y);
};
inline constexpr auto kGreater = [](auto x, auto y) {  // of integers
  return hwy::HWY_NAMESPACE::Max(x, y);
};
inline constexpr auto kSmaller = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Min(x, y);
};
inline constexpr auto kAndBits = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::And(x, y);
};
inline constexpr auto kOrBits = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Or(x, y);
};
inline constexpr auto kXorBits = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Xor(x, y);
};
inline constexpr auto kIsEqual = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Eq(x, y);
};
/// True of NaN, which Highway's Ne is not everywhere.
inline constexpr auto kIsUnequal = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Not(hwy::HWY_NAMESPACE::Eq(x, y));
};
inline constexpr auto kIsLess = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Lt(x, y);
};
inline constexpr auto kIsAtMost = [](auto x, auto y) {
  return hwy::HWY_NAMESPACE::Le(x, y);
};
inline constexpr auto kIsNotGreater = [](auto x, auto y) {  // of integers
  return hwy::HWY_NAMESPACE::Not(hwy::HWY_NAMESPACE::Gt(x, y));
};
inline constexpr auto kNot = [](auto x) { return hwy::HWY_NAMESPACE::Not(x); };
inline constexpr auto kNegative = [](auto x) {
  return hwy::HWY_NAMESPACE::Neg(x);
};
inline constexpr auto kMagnitude = [](auto x) {
  return hwy::HWY_NAMESPACE::Abs(x);
};
inline constexpr auto kItself = [](auto x) { return x; };

/// NaN where either is; -0 lies below +0. Of equal numbers the vectors' own
/// maximum may be either one, of both orders both.
template <class V>
HWY_INLINE V maximum(V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V larger = hn::And(hn::Max(x, y), hn::Max(y, x));
  const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
  return hn::IfThenElse(is_nan, hn::Add(x, y), larger);
}

template <class V>
HWY_INLINE V minimum(V x, V y) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V smaller = hn::Or(hn::Min(x, y), hn::Min(y, x));
  const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
  return hn::IfThenElse(is_nan, hn::Add(x, y), smaller);
}

/// 1 with the sign; zeros as they are, and what counts as zero is one.
template <class V>
HWY_INLINE V sign(V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto has_none = hn::Or(hn::Eq(x, number<V>(0)), hn::IsNaN(x));
  return hn::IfThenElse(has_none, hn::Add(x, x), hn::CopySign(number<V>(1), x));
}

/// Rounded to f32; Highway's code without vectors has no infinity there.
HWY_INLINE auto narrowed(VectorOf<double> x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<double> doubles;
  const hn::Rebind<float, decltype(doubles)> floats;
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  HWY_ALIGN double from[HWY_LANES(double)];
  HWY_ALIGN float to[HWY_LANES(double)];
  hn::Store(x, doubles, from);
  for (size_t i = 0; i < HWY_LANES(double); ++i) {
    to[i] = static_cast<float>(from[i]);
  }
  return hn::Load(floats, to);
#else
  return hn::DemoteTo(floats, x);
#endif
}

}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
