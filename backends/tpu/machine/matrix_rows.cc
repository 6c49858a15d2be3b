#include "backends/tpu/machine/matrix_rows.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/tpu/machine/matrix_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::tpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Tag = hn::CappedTag<T, 8>;

/// One row and the sums of as many columns as eight vectors have, which stay in
/// registers. Each has a name: the compiler keeps no arrays there.
template <typename T>
void pass_row(const MatrixRow<T>& row, const T* cells, int64_t size,
              int64_t first) {
  const Tag<T> tag;
  constexpr auto kStep = static_cast<int64_t>(hn::MaxLanes(tag));
  T* const to = row.sums + first;
  auto sum0 = hn::LoadU(tag, to + 0 * kStep);
  auto sum1 = hn::LoadU(tag, to + 1 * kStep);
  auto sum2 = hn::LoadU(tag, to + 2 * kStep);
  auto sum3 = hn::LoadU(tag, to + 3 * kStep);
  auto sum4 = hn::LoadU(tag, to + 4 * kStep);
  auto sum5 = hn::LoadU(tag, to + 5 * kStep);
  auto sum6 = hn::LoadU(tag, to + 6 * kStep);
  auto sum7 = hn::LoadU(tag, to + 7 * kStep);
  for (int64_t i = 0; i < row.count; ++i) {
    const T* const weights = cells + row.depths[i] * size + first;
    const auto number = hn::Set(tag, row.numbers[i]);
    const auto product = [&](int64_t v) {
      return hn::Mul(number, hn::LoadU(tag, weights + v * kStep));
    };
    sum0 = hn::Add(sum0, product(0));
    sum1 = hn::Add(sum1, product(1));
    sum2 = hn::Add(sum2, product(2));
    sum3 = hn::Add(sum3, product(3));
    sum4 = hn::Add(sum4, product(4));
    sum5 = hn::Add(sum5, product(5));
    sum6 = hn::Add(sum6, product(6));
    sum7 = hn::Add(sum7, product(7));
  }
  hn::StoreU(sum0, tag, to + 0 * kStep);
  hn::StoreU(sum1, tag, to + 1 * kStep);
  hn::StoreU(sum2, tag, to + 2 * kStep);
  hn::StoreU(sum3, tag, to + 3 * kStep);
  hn::StoreU(sum4, tag, to + 4 * kStep);
  hn::StoreU(sum5, tag, to + 5 * kStep);
  hn::StoreU(sum6, tag, to + 6 * kStep);
  hn::StoreU(sum7, tag, to + 7 * kStep);
}

template <typename T>
void pass(std::span<const MatrixRow<T>> rows, const T* cells, int64_t size,
          int64_t columns) {
  constexpr auto kChunk = static_cast<int64_t>(8 * hn::MaxLanes(Tag<T>()));
  for (int64_t first = 0; first < columns; first += kChunk) {
    for (const MatrixRow<T>& row : rows) pass_row(row, cells, size, first);
  }
}

void pass_f64(std::span<const MatrixRow<double>> rows, const double* cells,
              int64_t size, int64_t columns) {
  pass(rows, cells, size, columns);
}

void pass_f32(std::span<const MatrixRow<float>> rows, const float* cells,
              int64_t size, int64_t columns) {
  pass(rows, cells, size, columns);
}

}  // namespace
}  // namespace hlo::tpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::tpu {
namespace {

HWY_EXPORT(pass_f64);
HWY_EXPORT(pass_f32);

}  // namespace

void pass_rows(std::span<const MatrixRow<double>> rows, const double* cells,
               int64_t size, int64_t columns) {
  HWY_DYNAMIC_DISPATCH(pass_f64)(rows, cells, size, columns);
}

void pass_rows(std::span<const MatrixRow<float>> rows, const float* cells,
               int64_t size, int64_t columns) {
  HWY_DYNAMIC_DISPATCH(pass_f32)(rows, cells, size, columns);
}

}  // namespace hlo::tpu

#endif
