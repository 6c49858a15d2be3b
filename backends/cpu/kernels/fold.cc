#include "backends/cpu/kernels/fold.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/fold.cc"
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSE4 | HWY_SSSE3)
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
  static Floats apply(Floats x, Floats y) { return hn::Add(x, y); }

  static float identity() { return -0.0F; }
};

/// As Code::kMaximumF32: of zeros and other equal numbers the vectors' own
/// maximum may be either one, of both orders both.
struct Larger {
  static Floats apply(Floats x, Floats y) {
    const Floats larger = hn::And(hn::Max(x, y), hn::Max(y, x));
    const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
    return hn::IfThenElse(is_nan, hn::Add(x, y), larger);
  }

  static float identity() { return -std::numeric_limits<float>::infinity(); }
};

struct Smaller {
  static Floats apply(Floats x, Floats y) {
    const Floats smaller = hn::Or(hn::Min(x, y), hn::Min(y, x));
    const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
    return hn::IfThenElse(is_nan, hn::Add(x, y), smaller);
  }

  static float identity() { return std::numeric_limits<float>::infinity(); }
};

template <class F>
float one(float x, float y) {
  return hn::GetLane(F::apply(hn::Set(kFloats, x), hn::Set(kFloats, y)));
}

/// The first lanes with the last numbers of a line, fewer than a vector.
template <class F>
Floats with_rest(Floats sums, const float* numbers, int64_t count) {
  float rest[HWY_LANES(float)] = {};
  std::copy_n(numbers, count, rest);
  return hn::IfThenElse(hn::FirstN(kFloats, static_cast<size_t>(count)),
                        F::apply(sums, hn::LoadU(kFloats, rest)), sums);
}

template <class F>
float line_of(const float* line, int64_t count, float init) {
  constexpr auto kStep = static_cast<int64_t>(HWY_LANES(float));
  Floats sums[kVectors];
  for (Floats& sum : sums) sum = hn::Set(kFloats, F::identity());
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int64_t v = 0; v < kVectors; ++v) {
      sums[v] = F::apply(sums[v], hn::LoadU(kFloats, line + i + v * kStep));
    }
  }
  int64_t v = 0;
  for (; i + kStep <= count; i += kStep, ++v) {
    sums[v] = F::apply(sums[v], hn::LoadU(kFloats, line + i));
  }
  if (i < count) sums[v] = with_rest<F>(sums[v], line + i, count - i);
  for (int64_t half = kVectors / 2; half > 0; half /= 2) {
    for (int64_t k = 0; k < half; ++k) {
      sums[k] = F::apply(sums[k], sums[k + half]);
    }
  }
  float lanes[kStep];
  hn::StoreU(sums[0], kFloats, lanes);
  for (int64_t half = kStep / 2; half > 0; half /= 2) {
    for (int64_t k = 0; k < half; ++k) {
      lanes[k] = one<F>(lanes[k], lanes[k + half]);
    }
  }
  return one<F>(init, lanes[0]);
}

template <class F>
void lines_of(const float* const* lines, int64_t count, float init, float* to,
              int64_t n) {
  constexpr auto kStep = static_cast<int64_t>(HWY_LANES(float));
  int64_t c = 0;
  for (; c + 4 * kStep <= n; c += 4 * kStep) {
    Floats sums[4];
    for (Floats& sum : sums) sum = hn::Set(kFloats, init);
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t v = 0; v < 4; ++v) {
        sums[v] =
            F::apply(sums[v], hn::LoadU(kFloats, lines[i] + c + v * kStep));
      }
    }
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
      return line_of<Sum>(numbers, count, init);
    case Fold::kMaximum:
      return line_of<Larger>(numbers, count, init);
    default:
      return line_of<Smaller>(numbers, count, init);
  }
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

}  // namespace

float fold_line(Fold fold, const float* numbers, int64_t count, float init) {
  return HWY_DYNAMIC_DISPATCH(line)(fold, numbers, count, init);
}

void fold_lines(Fold fold, const float* const* numbers, int64_t count,
                float init, float* to, int64_t n) {
  HWY_DYNAMIC_DISPATCH(lines)(fold, numbers, count, init, to, n);
}

}  // namespace hlo::cpu

#endif
