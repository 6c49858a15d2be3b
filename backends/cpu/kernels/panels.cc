#include "backends/cpu/kernels/panels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/panels.cc"
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSE4 | HWY_SSSE3)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;
using Floats = hn::Vec<decltype(kFloats)>;

// As many sums as registers hold: of 32 there are two vectors of 14 rows.
#if HWY_TARGET == HWY_AVX3
constexpr int64_t kRows = 14;
#else
constexpr int64_t kRows = 6;
#endif

Floats fused(Floats x, Floats y, Floats sum) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(x, y, sum);
#else
  HWY_ALIGN float lanes[3][HWY_LANES(float)];
  hn::Store(x, kFloats, lanes[0]);
  hn::Store(y, kFloats, lanes[1]);
  hn::Store(sum, kFloats, lanes[2]);
  for (size_t i = 0; i < hn::Lanes(kFloats); ++i) {
    lanes[2][i] = std::fma(lanes[0][i], lanes[1][i], lanes[2][i]);
  }
  return hn::Load(kFloats, lanes[2]);
#endif
}

/// A tile of some rows, whole: the result has room for it. The rows are a list
/// of constants, so that the sums become registers.
template <size_t... kRow>
void multiply_tile(const PanelProduct& p, float* result, int64_t step,
                   std::index_sequence<kRow...>) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(kFloats));
  const auto place = [&](size_t row) {
    return result + static_cast<int64_t>(row) * step;
  };
  const auto begin = [&](const float* from) {
    return p.continues ? hn::LoadU(kFloats, from) : hn::Zero(kFloats);
  };
  Floats low[] = {begin(place(kRow))...};
  Floats high[] = {begin(place(kRow) + lanes)...};
  const float* right = p.right;
  for (int64_t k = 0; k < p.depth; ++k) {
    const float* left = p.left + k;
    const Floats y = hn::LoadU(kFloats, right);
    const Floats z = hn::LoadU(kFloats, right + lanes);
    const auto x = [&](size_t row) {
      return hn::Set(kFloats, left[static_cast<int64_t>(row) * kRowStep]);
    };
    ((low[kRow] = fused(x(kRow), y, low[kRow]),
      high[kRow] = fused(x(kRow), z, high[kRow])),
     ...);
    right += 2 * lanes;
  }
  (hn::StoreU(low[kRow], kFloats, place(kRow)), ...);
  (hn::StoreU(high[kRow], kFloats, place(kRow) + lanes), ...);
}

/// The tile with as many rows as are wanted.
template <size_t kSome>
void multiply_rows(const PanelProduct& p, float* result, int64_t step) {
  if constexpr (kSome > 0) {
    if (p.rows == static_cast<int64_t>(kSome)) {
      multiply_tile(p, result, step, std::make_index_sequence<kSome>());
    } else {
      multiply_rows<kSome - 1>(p, result, step);
    }
  }
}

PanelSize size() {
  return {kRows, 2 * static_cast<int64_t>(hn::Lanes(kFloats))};
}

void multiply(const PanelProduct& p) {
  constexpr int64_t kMost = 2 * HWY_LANES(float);
  const auto width = 2 * static_cast<int64_t>(hn::Lanes(kFloats));
  if (p.columns == width) {
    return multiply_rows<kRows>(p, p.result, p.result_step);
  }
  float tile[kRows * kMost];
  for (int64_t m = 0; p.continues && m < p.rows; ++m) {
    std::fill_n(
        std::copy_n(p.result + m * p.result_step, p.columns, tile + m * kMost),
        kMost - p.columns, 0.0F);
  }
  multiply_rows<kRows>(p, tile, kMost);
  for (int64_t m = 0; m < p.rows; ++m) {
    std::copy_n(tile + m * kMost, p.columns, p.result + m * p.result_step);
  }
}

void lines(const LinePair* pairs, int64_t count, float* sums, int64_t n) {
  const auto step = static_cast<int64_t>(hn::Lanes(kFloats));
  int64_t c = 0;
  for (; c + 2 * step <= n; c += 2 * step) {
    Floats low = hn::Zero(kFloats);
    Floats high = hn::Zero(kFloats);
    for (int64_t i = 0; i < count; ++i) {
      const float* x = pairs[i].left + c;
      const float* y = pairs[i].right + c;
      low = fused(hn::LoadU(kFloats, x), hn::LoadU(kFloats, y), low);
      high = fused(hn::LoadU(kFloats, x + step), hn::LoadU(kFloats, y + step),
                   high);
    }
    hn::StoreU(low, kFloats, sums + c);
    hn::StoreU(high, kFloats, sums + c + step);
  }
  for (; c + step <= n; c += step) {
    Floats sum = hn::Zero(kFloats);
    for (int64_t i = 0; i < count; ++i) {
      sum = fused(hn::LoadU(kFloats, pairs[i].left + c),
                  hn::LoadU(kFloats, pairs[i].right + c), sum);
    }
    hn::StoreU(sum, kFloats, sums + c);
  }
  for (; c < n; ++c) {
    float sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      sum = std::fma(pairs[i].left[c], pairs[i].right[c], sum);
    }
    sums[c] = sum;
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(size);
HWY_EXPORT(multiply);
HWY_EXPORT(lines);

}  // namespace

PanelSize panel_size() { return HWY_DYNAMIC_DISPATCH(size)(); }

void multiply_panels(const PanelProduct& product) {
  HWY_DYNAMIC_DISPATCH(multiply)(product);
}

void multiply_lines(const LinePair* pairs, int64_t count, float* sums,
                    int64_t n) {
  HWY_DYNAMIC_DISPATCH(lines)(pairs, count, sums, n);
}

}  // namespace hlo::cpu

#endif
