#include "backends/cpu/kernels/other_products/multiply_numbers.h"

#include <algorithm>
#include <complex>
#include <span>
#include <type_traits>
#include <vector>

#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/threads/share_loop.h"
#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/other_products/multiply_numbers.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/fused_numbers.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Rows together: sums of f64, two vectors of each row, fill the registers.
#if HWY_TARGET == HWY_AVX3
constexpr int64_t kRowsOfReals = 14;
#else
constexpr int64_t kRowsOfReals = 6;
#endif
constexpr int64_t kFewRows = 4;
template <typename T>
constexpr int64_t kTogether =
    std::is_same_v<T, double> ? kRowsOfReals : kFewRows;

constexpr int64_t kGroup = 4;     // panels of a task, which L2 holds
constexpr int64_t kFewTasks = 8;  // that threads share evenly

/// sum + x y; of f64 rounded once.
template <class V>
HWY_INLINE V with_product(V sum, V x, V y) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
    return fused(x, y, sum);
  } else {
    return hn::Add(sum, hn::Mul(x, y));
  }
}

/// A panel: columns of the right matrix that two vectors hold.
template <typename T>
struct Panel {
  static constexpr hn::ScalableTag<T> kTag = {};
  using Numbers = hn::Vec<hn::ScalableTag<T>>;

  const ProductSizes& sizes;
  const T* left;
  T* result;  // where the panel's columns begin
  int64_t columns;
  T* packed;  // depth rows of two vectors

  static int64_t width() { return 2 * static_cast<int64_t>(hn::Lanes(kTag)); }

  void pack(const T* right) const {
    for (int64_t k = 0; k < sizes.depth; ++k) {
      T* const row = packed + k * width();
      std::copy_n(right + k * sizes.columns, columns, row);
      std::fill_n(row + columns, width() - columns, T{});
    }
  }

  template <int64_t kRows>
  void multiply(int64_t row) const {
    const size_t lanes = hn::Lanes(kTag);
    Numbers low[kRows];
    Numbers high[kRows];
#pragma GCC unroll 16
    for (int64_t m = 0; m < kRows; ++m) low[m] = high[m] = hn::Zero(kTag);
    const T* const own = left + row * sizes.depth;
    for (int64_t k = 0; k < sizes.depth; ++k) {
      const Numbers y = hn::LoadU(kTag, packed + k * width());
      const Numbers z =
          hn::LoadU(kTag, packed + k * width() + static_cast<int64_t>(lanes));
#pragma GCC unroll 16
      for (int64_t m = 0; m < kRows; ++m) {
        const Numbers x = hn::Set(kTag, own[m * sizes.depth + k]);
        low[m] = with_product(low[m], x, y);
        high[m] = with_product(high[m], x, z);
      }
    }
#pragma GCC unroll 16
    for (int64_t m = 0; m < kRows; ++m) {
      T sums[2 * HWY_LANES(T)];
      T* const own_result = result + (row + m) * sizes.columns;
      T* const to = columns == width() ? own_result : sums;
      hn::StoreU(low[m], kTag, to);
      hn::StoreU(high[m], kTag, to + lanes);
      if (to == sums) std::copy_n(sums, columns, own_result);
    }
  }
};

/// Columns of complex numbers, one vector of real parts and one of imaginary
/// ones.
template <typename T>
struct Panel<std::complex<T>> {
  static constexpr hn::ScalableTag<T> kTag = {};
  using Numbers = hn::Vec<hn::ScalableTag<T>>;
  using Complex = std::complex<T>;

  const ProductSizes& sizes;
  const Complex* left;
  Complex* result;
  int64_t columns;
  Complex* packed;

  static int64_t width() { return static_cast<int64_t>(hn::Lanes(kTag)); }

  T* row_of(int64_t k) const {
    return reinterpret_cast<T*>(packed + k * width());
  }

  void pack(const Complex* right) const {
    for (int64_t k = 0; k < sizes.depth; ++k) {
      T* const row = row_of(k);
      std::fill_n(row, 2 * width(), T{});
      for (int64_t n = 0; n < columns; ++n) {
        const Complex number = right[k * sizes.columns + n];
        row[n] = number.real();
        row[width() + n] = number.imag();
      }
    }
  }

  template <int64_t kRows>
  void multiply(int64_t row) const {
    Numbers real[kRows];
    Numbers imag[kRows];
    for (int64_t m = 0; m < kRows; ++m) real[m] = imag[m] = hn::Zero(kTag);
    const Complex* const own = left + row * sizes.depth;
    for (int64_t k = 0; k < sizes.depth; ++k) {
      const Numbers y = hn::LoadU(kTag, row_of(k));
      const Numbers z = hn::LoadU(kTag, row_of(k) + width());
#pragma GCC unroll 4
      for (int64_t m = 0; m < kRows; ++m) {
        const Complex x = own[m * sizes.depth + k];
        const Numbers a = hn::Set(kTag, x.real());
        const Numbers b = hn::Set(kTag, x.imag());
        real[m] = hn::Add(real[m], hn::Sub(hn::Mul(a, y), hn::Mul(b, z)));
        imag[m] = hn::Add(imag[m], hn::Add(hn::Mul(a, z), hn::Mul(b, y)));
      }
    }
    for (int64_t m = 0; m < kRows; ++m) {
      T sums[2 * HWY_LANES(T)];
      hn::StoreU(real[m], kTag, sums);
      hn::StoreU(imag[m], kTag, sums + width());
      Complex* const to = result + (row + m) * sizes.columns;
      for (int64_t n = 0; n < columns; ++n) {
        to[n] = {sums[n], sums[width() + n]};
      }
    }
  }
};

/// As many times kRows rows as there are from `row` on; the first row behind.
template <int64_t kRows, typename T>
int64_t multiply_rows(std::span<const Panel<T>> panels, int64_t row) {
  for (; row + kRows <= panels[0].sizes.rows; row += kRows) {
    for (const Panel<T>& panel : panels) panel.template multiply<kRows>(row);
  }
  return row;
}

template <typename T>
void multiply_as(const ProductSizes& sizes, const T* left, const T* right,
                 T* result) {
  const int64_t width = Panel<T>::width();
  const int64_t panels = (sizes.columns + width - 1) / width;
  const int64_t some = std::clamp<int64_t>(panels / kFewTasks, 1, kGroup);
  const int64_t groups = (panels + some - 1) / some;
  const int64_t size = sizes.depth * width;
  share_loop(sizes.batches * groups, [&](int64_t task) {
    const int64_t b = task / groups;
    const int64_t first = task % groups * some;
    T* const packed = reinterpret_cast<T*>(scratch_bytes(
        Scratch::kRight, static_cast<size_t>(some * size) * sizeof(T)));
    std::vector<Panel<T>> own;
    for (int64_t p = first; p < std::min(panels, first + some); ++p) {
      const int64_t column = p * width;
      own.push_back({sizes, left + b * sizes.rows * sizes.depth,
                     result + b * sizes.rows * sizes.columns + column,
                     std::min(width, sizes.columns - column),
                     packed + (p - first) * size});
      own.back().pack(right + b * sizes.depth * sizes.columns + column);
    }
    const std::span<const Panel<T>> all(own);
    int64_t row = multiply_rows<kTogether<T>>(all, 0);
    if (kTogether < T >> kFewRows) row = multiply_rows<kFewRows>(all, row);
    multiply_rows<1>(all, row);
  });
}

void multiply(ElementType type, const ProductSizes& sizes,
              const std::byte* left, const std::byte* right,
              std::byte* result) {
  const auto as = [&](auto number) {
    using T = decltype(number);
    multiply_as(sizes, reinterpret_cast<const T*>(left),
                reinterpret_cast<const T*>(right),
                reinterpret_cast<T*>(result));
  };
  if (type == ElementType::kF64) return as(double{});
  if (type == ElementType::kC64) return as(std::complex<float>());
  if (type == ElementType::kC128) return as(std::complex<double>());
  if (type == ElementType::kS32 || type == ElementType::kU32) {
    return as(uint32_t{});
  }
  as(uint64_t{});
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(multiply);

}  // namespace

bool multiplies(ElementType type) {
  using enum ElementType;
  return type == kF64 || type == kS32 || type == kU32 || type == kS64 ||
         type == kU64 || type == kC64 || type == kC128;
}

void multiply_numbers(ElementType type, const ProductSizes& sizes,
                      const std::byte* left, const std::byte* right,
                      std::byte* result) {
  HWY_DYNAMIC_DISPATCH(multiply)(type, sizes, left, right, result);
}

}  // namespace hlo::cpu

#endif
