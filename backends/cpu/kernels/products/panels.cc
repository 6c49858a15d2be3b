#include "backends/cpu/kernels/products/panels.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/products/panels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/fused_numbers.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;
using Floats = hn::Vec<decltype(kFloats)>;

// As many sums as registers hold: of 32 there are two vectors of 14 rows, or of
// 8 places beside the weights of a row of taps.
#if HWY_TARGET == HWY_AVX3
constexpr int64_t kRows = 14;
constexpr int64_t kTogetherInRows = 8;
#else
constexpr int64_t kRows = 6;
constexpr int64_t kTogetherInRows = 4;
#endif

/// The sums of a tile: one or two vectors for each row.
template <size_t kRows>
struct Sums {
  Floats low[kRows];
  Floats high[kRows];
};

/// Adds the products of a part to the sums of some rows from kFirst on. The
/// rows are a list of constants, so that the sums become registers, and so may
/// the step between those of the left be.
template <bool kIsWide, size_t kFirst, typename Step, size_t kAll,
          size_t... kRow>
HWY_INLINE void add_products(const PanelProduct& p, const Factors& part,
                             Step left_step, Sums<kAll>& sums,
                             std::index_sequence<kRow...>) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(kFloats));
  const float* right = part.right;
  for (int64_t k = 0; k < p.depth; ++k) {
    const float* left = part.left + k;
    const Floats y = hn::LoadU(kFloats, right);
    const Floats z = kIsWide ? hn::LoadU(kFloats, right + lanes) : y;
    const auto x = [&](size_t row) {
      return hn::Set(kFloats, left[static_cast<int64_t>(row) * left_step]);
    };
    const auto add = [&](Floats factor, Floats& low, Floats& high) {
      low = fused(factor, y, low);
      if (kIsWide) high = fused(factor, z, high);
    };
    (add(x(kRow), sums.low[kFirst + kRow], sums.high[kFirst + kRow]), ...);
    right += p.right_step;
  }
}

/// As add_products, but for the rows that the part leaves out.
template <size_t kLeftOut, bool kIsWide, typename Step, size_t kAll>
HWY_INLINE void add_some(const PanelProduct& p, const Factors& part,
                         Step left_step, Sums<kAll>& sums) {
  if constexpr (kLeftOut <= kMostLeftOut && kLeftOut < kAll) {
    constexpr auto kSome = std::make_index_sequence<kAll - kLeftOut>();
    if (part.left_out == static_cast<int64_t>(kLeftOut)) {
      add_products<kIsWide, kLeftOut>(p, part, left_step, sums, kSome);
    } else if (part.left_out == -static_cast<int64_t>(kLeftOut)) {
      add_products<kIsWide, 0>(p, part, left_step, sums, kSome);
    } else {
      add_some<kLeftOut + 1, kIsWide>(p, part, left_step, sums);
    }
  }
}

/// A tile of some rows and one or two vectors, whole: the result has room for
/// it.
template <bool kIsWide, bool kLeavesOut, typename Step, size_t... kRow>
void multiply_tile(const PanelProduct& p, Step left_step, float* result,
                   int64_t step, std::index_sequence<kRow...> rows) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(kFloats));
  const auto place = [&](size_t row) {
    return result + static_cast<int64_t>(row) * step;
  };
  const auto begin = [&](const float* from) {
    return p.continues ? hn::LoadU(kFloats, from) : hn::Zero(kFloats);
  };
  Sums<sizeof...(kRow)> sums{
      {begin(place(kRow))...},
      {(kIsWide ? begin(place(kRow) + lanes) : hn::Zero(kFloats))...}};
  for (const Factors& part : p.parts) {
    if constexpr (kLeavesOut) {
      add_some<0, kIsWide>(p, part, left_step, sums);
    } else {
      add_products<kIsWide, 0>(p, part, left_step, sums, rows);
    }
  }
  (hn::StoreU(sums.low[kRow], kFloats, place(kRow)), ...);
  if constexpr (kIsWide) {
    (hn::StoreU(sums.high[kRow], kFloats, place(kRow) + lanes), ...);
  }
}

/// The tile with as many rows as are wanted.
template <bool kIsWide, size_t kSome>
void multiply_rows(const PanelProduct& p, float* result, int64_t step) {
  if constexpr (kSome > 0) {
    constexpr auto kList = std::make_index_sequence<kSome>();
    if (p.rows == static_cast<int64_t>(kSome)) {
      if (kIsWide && p.leaves_out) {
        multiply_tile<kIsWide, kIsWide>(p, p.left_step, result, step, kList);
      } else if (kIsWide && p.left_step == kRowStep) {
        using Packed = std::integral_constant<int64_t, kRowStep>;
        multiply_tile<kIsWide, false>(p, Packed(), result, step, kList);
      } else {
        multiply_tile<kIsWide, false>(p, p.left_step, result, step, kList);
      }
    } else {
      multiply_rows<kIsWide, kSome - 1>(p, result, step);
    }
  }
}

PanelSize size() {
  return {kRows, 2 * static_cast<int64_t>(hn::Lanes(kFloats))};
}

void multiply(const PanelProduct& p) {
  constexpr int64_t kMost = 2 * HWY_LANES(float);
  const auto lanes = static_cast<int64_t>(hn::Lanes(kFloats));
  if (p.columns == 2 * lanes) {
    return multiply_rows<true, kRows>(p, p.result, p.result_step);
  }
  if (p.columns == lanes && !p.leaves_out) {
    return multiply_rows<false, kRows>(p, p.result, p.result_step);
  }
  float tile[kRows * kMost];
  for (int64_t m = 0; p.continues && m < p.rows; ++m) {
    std::fill_n(
        std::copy_n(p.result + m * p.result_step, p.columns, tile + m * kMost),
        kMost - p.columns, 0.0F);
  }
  multiply_rows<true, kRows>(p, tile, kMost);
  for (int64_t m = 0; m < p.rows; ++m) {
    std::copy_n(tile + m * kMost, p.columns, p.result + m * p.result_step);
  }
}

/// The sums of two vectors at some places from `place` on, whose lines begin at
/// column c.
template <size_t... kPlace>
void sum_lines(const LineProduct& p, int64_t place, int64_t c, float* sums,
               std::index_sequence<kPlace...>) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(kFloats));
  const int64_t begin = place * p.left_step + c;
  Floats low[] = {(static_cast<void>(kPlace), hn::Zero(kFloats))...};
  Floats high[] = {(static_cast<void>(kPlace), hn::Zero(kFloats))...};
  for (const Factors& pair : p.pairs) {
    const float* const left = pair.left + begin;
    const float* const right = pair.right + c;
    const Floats y = hn::LoadU(kFloats, right);
    const Floats z = hn::LoadU(kFloats, right + lanes);
    const auto at = [&](size_t k) {
      return left + static_cast<int64_t>(k) * p.left_step;
    };
    ((low[kPlace] = fused(hn::LoadU(kFloats, at(kPlace)), y, low[kPlace]),
      high[kPlace] =
          fused(hn::LoadU(kFloats, at(kPlace) + lanes), z, high[kPlace])),
     ...);
  }
  const auto to = [&](size_t k) {
    return sums + (place + static_cast<int64_t>(k)) * p.n + c;
  };
  ((hn::StoreU(low[kPlace], kFloats, to(kPlace)),
    hn::StoreU(high[kPlace], kFloats, to(kPlace) + lanes)),
   ...);
}

/// Lanes as they are, which g++ then does not load anew for each use.
HWY_INLINE Floats in_register(Floats x) {
#if HWY_TARGET == HWY_AVX3 && HWY_COMPILER_GCC
  asm("" : "+v"(x.raw));
#endif
  return x;
}

/// As sum_lines, of taps that lie one place behind the other, kTaps in a row:
/// what several places read is read once. Each place has them in their order.
template <int64_t kPlaces, int64_t kTaps>
void sum_taps(const LineProduct& p, int64_t place, int64_t c, float* sums) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(kFloats));
  Floats low[kPlaces];
  Floats high[kPlaces];
#pragma GCC unroll 8
  for (int64_t k = 0; k < kPlaces; ++k) low[k] = high[k] = hn::Zero(kFloats);
  for (size_t i = 0; i < p.pairs.size(); i += kTaps) {
    const float* left = p.pairs[i].left + place * p.left_step + c;
    Floats y[kTaps];
    Floats z[kTaps];
#pragma GCC unroll 8
    for (size_t t = 0; t < kTaps; ++t) {
      y[t] = hn::LoadU(kFloats, p.pairs[i + t].right + c);
      z[t] = hn::LoadU(kFloats, p.pairs[i + t].right + c + lanes);
    }
#pragma GCC unroll 16
    for (int64_t j = 0; j < kPlaces + kTaps - 1; ++j, left += p.left_step) {
      const Floats x = in_register(hn::LoadU(kFloats, left));
      const Floats w = in_register(hn::LoadU(kFloats, left + lanes));
#pragma GCC unroll 8
      for (int64_t t = 0; t < kTaps; ++t) {
        const int64_t k = j - t;
        if (k < 0 || k >= kPlaces) continue;
        low[k] = fused(x, y[t], low[k]);
        high[k] = fused(w, z[t], high[k]);
      }
    }
  }
#pragma GCC unroll 8
  for (int64_t k = 0; k < kPlaces; ++k) {
    float* const to = sums + (place + k) * p.n + c;
    hn::StoreU(low[k], kFloats, to);
    hn::StoreU(high[k], kFloats, to + lanes);
  }
}

constexpr int64_t kTaps = 3;  // of most windows, along a line

/// Whether the taps are rows of kTaps, one place behind the other.
bool has_rows_of_taps(const LineProduct& p) {
  if (p.pairs.size() % kTaps != 0) return false;
  for (size_t i = 0; i < p.pairs.size(); ++i) {
    if (i % kTaps != 0 &&
        p.pairs[i].left != p.pairs[i - 1].left + p.left_step) {
      return false;
    }
  }
  return true;
}

/// The sums of fewer numbers than two vectors, from column c on.
void sum_rest(const LineProduct& p, int64_t place, int64_t c, float* sums) {
  const auto step = static_cast<int64_t>(hn::Lanes(kFloats));
  const int64_t begin = place * p.left_step;
  float* const to = sums + place * p.n;
  for (; c + step <= p.n; c += step) {
    Floats sum = hn::Zero(kFloats);
    for (const Factors& pair : p.pairs) {
      sum = fused(hn::LoadU(kFloats, pair.left + begin + c),
                  hn::LoadU(kFloats, pair.right + c), sum);
    }
    hn::StoreU(sum, kFloats, to + c);
  }
  for (; c < p.n; ++c) {
    float sum = 0;
    for (const Factors& pair : p.pairs) {
      sum = std::fma(pair.left[begin + c], pair.right[c], sum);
    }
    to[c] = sum;
  }
}

void lines(const LineProduct& p, int64_t places, float* sums) {
  constexpr size_t kTogether = 4;
  const auto width = 2 * static_cast<int64_t>(hn::Lanes(kFloats));
  const int64_t whole = p.n / width * width;
  const bool has_rows = places >= kTogetherInRows && has_rows_of_taps(p);
  for (int64_t c = 0; c < whole; c += width) {
    int64_t place = 0;
    for (; has_rows && place < places; place += kTogetherInRows) {
      // The last ones with some that are computed anew.
      const int64_t first = std::min(place, places - kTogetherInRows);
      sum_taps<kTogetherInRows, kTaps>(p, first, c, sums);
    }
    for (; place + int64_t{kTogether} <= places; place += kTogether) {
      sum_lines(p, place, c, sums, std::make_index_sequence<kTogether>());
    }
    for (; place < places; ++place) {
      sum_lines(p, place, c, sums, std::make_index_sequence<1>());
    }
  }
  if (whole == p.n) return;
  for (int64_t place = 0; place < places; ++place) {
    sum_rest(p, place, whole, sums);
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

void multiply_lines(const LineProduct& product, int64_t places, float* sums) {
  HWY_DYNAMIC_DISPATCH(lines)(product, places, sums);
}

}  // namespace hlo::cpu

#endif
