#include "backends/cpu/kernels/fold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/fold.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;
using Floats = hn::Vec<decltype(kFloats)>;

constexpr int64_t kLanes = 64;
constexpr int64_t kVectors = kLanes / HWY_LANES(float);

struct Sum {
  template <class V>
  static V apply(V x, V y) {
    return hn::Add(x, y);
  }

  static float identity() { return -0.0F; }
};

/// As Code::kMaximumF32: of zeros and other equal numbers the vectors' own
/// maximum may be either one, of both orders both.
struct Larger {
  template <class V>
  static V apply(V x, V y) {
    const V larger = hn::And(hn::Max(x, y), hn::Max(y, x));
    const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
    return hn::IfThenElse(is_nan, hn::Add(x, y), larger);
  }

  static Floats quick(Floats x, Floats y) { return hn::Max(x, y); }

  static float identity() { return -std::numeric_limits<float>::infinity(); }
};

struct Smaller {
  template <class V>
  static V apply(V x, V y) {
    const V smaller = hn::Or(hn::Min(x, y), hn::Min(y, x));
    const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
    return hn::IfThenElse(is_nan, hn::Add(x, y), smaller);
  }

  static Floats quick(Floats x, Floats y) { return hn::Min(x, y); }

  static float identity() { return std::numeric_limits<float>::infinity(); }
};

template <class F>
float one(float x, float y) {
  return hn::GetLane(F::apply(hn::Set(kFloats, x), hn::Set(kFloats, y)));
}

/// The numbers of a line in memory.
struct Line {
  const float* first;

  Floats at(int64_t i) const { return hn::LoadU(kFloats, first + i); }

  /// So many, fewer than a vector.
  Floats some(int64_t i, int64_t count) const {
    float rest[HWY_LANES(float)] = {};
    std::copy_n(first + i, count, rest);
    return hn::LoadU(kFloats, rest);
  }
};

/// A line whose numbers are the products of two.
struct ProductLine {
  Line x;
  Line y;

  Floats at(int64_t i) const { return hn::Mul(x.at(i), y.at(i)); }

  Floats some(int64_t i, int64_t count) const {
    return hn::Mul(x.some(i, count), y.some(i, count));
  }
};

/// The lanes with the last numbers of a line: where these are fewer than a
/// vector, the first ones.
template <class F, class L>
Floats with_some(Floats sums, const L& line, int64_t i, int64_t count) {
  if (count >= int64_t{HWY_LANES(float)}) return F::apply(sums, line.at(i));
  return hn::IfThenElse(hn::FirstN(kFloats, static_cast<size_t>(count)),
                        F::apply(sums, line.some(i, count)), sums);
}

/// The lanes by halves.
template <class F, class D>
float lanes_of([[maybe_unused]] D tag, hn::Vec<D> lanes) {
#if HWY_TARGET == HWY_SCALAR
  return hn::GetLane(lanes);
#else
  if constexpr (hn::MaxLanes(tag) == 1) {
    return hn::GetLane(lanes);
  } else {
    const hn::Half<D> half;
    return lanes_of<F>(
        half, F::apply(hn::LowerHalf(half, lanes), hn::UpperHalf(half, lanes)));
  }
#endif
}

template <class F, class L>
float line_of(const L& line, int64_t count, float init) {
  constexpr auto kStep = static_cast<int64_t>(HWY_LANES(float));
  Floats sums[kVectors];
#pragma GCC unroll 16
  for (Floats& sum : sums) sum = hn::Set(kFloats, F::identity());
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
#pragma GCC unroll 16
    for (int64_t v = 0; v < kVectors; ++v) {
      sums[v] = F::apply(sums[v], line.at(i + v * kStep));
    }
  }
#pragma GCC unroll 16
  for (int64_t v = 0; v < kVectors; ++v, i += kStep) {
    if (i < count) sums[v] = with_some<F>(sums[v], line, i, count - i);
  }
#pragma GCC unroll 8
  for (int64_t half = kVectors / 2; half > 0; half /= 2) {
#pragma GCC unroll 16
    for (int64_t k = 0; k < half; ++k) {
      sums[k] = F::apply(sums[k], sums[k + half]);
    }
  }
  return one<F>(init, lanes_of<F>(kFloats, sums[0]));
}

/// The largest or smallest of at least kLanes numbers where it is neither NaN
/// nor zero; of others NaN, or a zero of any sign. The vectors' own maximum
/// may miss what is no number; the sum does not.
template <class F>
float quick_extreme(const float* line, int64_t count) {
  constexpr auto kStep = static_cast<int64_t>(HWY_LANES(float));
  Floats best[kVectors];
  Floats sums[kVectors];
#pragma GCC unroll 16
  for (int64_t v = 0; v < kVectors; ++v) {
    best[v] = hn::Set(kFloats, F::identity());
    sums[v] = hn::Zero(kFloats);
  }
  const auto add = [&](const float* numbers) {
#pragma GCC unroll 16
    for (int64_t v = 0; v < kVectors; ++v) {
      const Floats x = hn::LoadU(kFloats, numbers + v * kStep);
      best[v] = F::quick(best[v], x);
      sums[v] = hn::Add(sums[v], x);
    }
  };
  for (int64_t i = 0; i + kLanes <= count; i += kLanes) add(line + i);
  // Some of them twice.
  if (count % kLanes != 0) add(line + count - kLanes);
#pragma GCC unroll 16
  for (int64_t v = 1; v < kVectors; ++v) {
    best[0] = F::quick(best[0], best[v]);
    sums[0] = hn::Add(sums[0], sums[v]);
  }
  if (!hn::AllFalse(kFloats, hn::IsNaN(sums[0]))) return NAN;
  return lanes_of<F>(kFloats, best[0]);
}

template <class F>
float extreme_of(const float* line, int64_t count, float init) {
  if (count >= kLanes) {
    const float best = quick_extreme<F>(line, count);
    if (best < 0 || best > 0) return one<F>(init, best);
  }
  return line_of<F>(Line{line}, count, init);
}

template <class F>
void lines_of(const float* const* lines, int64_t count, float init, float* to,
              int64_t n) {
  constexpr auto kStep = static_cast<int64_t>(HWY_LANES(float));
  int64_t c = 0;
  for (; c + 4 * kStep <= n; c += 4 * kStep) {
    Floats sums[4];
#pragma GCC unroll 4
    for (Floats& sum : sums) sum = hn::Set(kFloats, init);
    for (int64_t i = 0; i < count; ++i) {
#pragma GCC unroll 4
      for (int64_t v = 0; v < 4; ++v) {
        sums[v] =
            F::apply(sums[v], hn::LoadU(kFloats, lines[i] + c + v * kStep));
      }
    }
#pragma GCC unroll 4
    for (int64_t v = 0; v < 4; ++v) {
      hn::StoreU(sums[v], kFloats, to + c + v * kStep);
    }
  }
  for (; c + kStep <= n; c += kStep) {
    Floats sum = hn::Set(kFloats, init);
    for (int64_t i = 0; i < count; ++i) {
      sum = F::apply(sum, hn::LoadU(kFloats, lines[i] + c));
    }
    hn::StoreU(sum, kFloats, to + c);
  }
  for (; c < n; ++c) {
    float sum = init;
    for (int64_t i = 0; i < count; ++i) sum = one<F>(sum, lines[i][c]);
    to[c] = sum;
  }
}

float line(Fold fold, const float* numbers, int64_t count, float init) {
  switch (fold) {
    case Fold::kAdd:
      return line_of<Sum>(Line{numbers}, count, init);
    case Fold::kMaximum:
      return extreme_of<Larger>(numbers, count, init);
    default:
      return extreme_of<Smaller>(numbers, count, init);
  }
}

float products(const float* x, const float* y, int64_t count, float init) {
  return line_of<Sum>(ProductLine{{x}, {y}}, count, init);
}

void lines(Fold fold, const float* const* numbers, int64_t count, float init,
           float* to, int64_t n) {
  switch (fold) {
    case Fold::kAdd:
      return lines_of<Sum>(numbers, count, init, to, n);
    case Fold::kMaximum:
      return lines_of<Larger>(numbers, count, init, to, n);
    default:
      return lines_of<Smaller>(numbers, count, init, to, n);
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(line);
HWY_EXPORT(lines);
HWY_EXPORT(products);

}  // namespace

float fold_line(Fold fold, const float* numbers, int64_t count, float init) {
  return HWY_DYNAMIC_DISPATCH(line)(fold, numbers, count, init);
}

float sum_products(const float* x, const float* y, int64_t count, float init) {
  return HWY_DYNAMIC_DISPATCH(products)(x, y, count, init);
}

void fold_lines(Fold fold, const float* const* numbers, int64_t count,
                float init, float* to, int64_t n) {
  HWY_DYNAMIC_DISPATCH(lines)(fold, numbers, count, init, to, n);
}

}  // namespace hlo::cpu

#endif
