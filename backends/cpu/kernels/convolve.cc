#include "backends/cpu/kernels/convolve.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "backends/cpu/kernels/panels.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPlacesPerTask = 64;

const float* weight(const Convolution& c, int64_t row, int64_t column) {
  return static_cast<const float*>(c.kernel.first) + row * c.kernel.row_step +
         column * c.kernel.column_step;
}

/// Where the taps of some rows lie: rows are batches, then places.
class RowTaps {
 public:
  RowTaps(const Convolution& c, int64_t first, int64_t rows)
      : taps_(c.windows.taps()), offsets_(static_cast<size_t>(rows * taps_)) {
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t row = first + i;
      int64_t* own = offsets_.data() + i * taps_;
      c.windows.offsets(row % c.windows.places(), own);
      const int64_t base = row / c.windows.places() * c.batch_step;
      for (int64_t t = 0; t < taps_; ++t) {
        if (own[t] >= 0) own[t] += base;
      }
    }
  }

  int64_t at(int64_t row, int64_t tap) const {
    return offsets_[static_cast<size_t>(row * taps_ + tap)];
  }

 private:
  int64_t taps_;
  std::vector<int64_t> offsets_;
};

/// Features k ... k + depth - 1 of the taps of one row, where the depth is
/// taps, then features; zero outside of the input.
void pack_taps(const Convolution& c, const float* input, const RowTaps& taps,
               int64_t row, int64_t k, int64_t depth, float* to) {
  const int64_t last = k + depth;
  for (int64_t tap = k / c.inputs; k < last; ++tap) {
    const int64_t feature = k - tap * c.inputs;
    const int64_t n = std::min(c.inputs - feature, last - k);
    const int64_t at = taps.at(row, tap);
    if (at < 0) {
      std::fill_n(to, n, 0.0F);
    } else {
      std::copy_n(input + at + feature, n, to);
    }
    to += n;
    k += n;
  }
}

/// The input as the left matrix of a group: rows are batches, then places.
LeftMatrix group_rows(const Convolution& c, const float* input) {
  const auto pack = [&c, input](int64_t first, int64_t rows, int64_t k,
                                int64_t depth, float* to) {
    const RowTaps taps(c, first, rows);
    for (int64_t i = 0; i < rows; ++i, to += kRowStep) {
      pack_taps(c, input, taps, i, k, depth, to);
    }
  };
  return {c.batches * c.windows.places(), c.windows.taps() * c.inputs, pack};
}

/// One feature of the input for each of the result.
void convolve_depthwise(const Convolution& c, float* result) {
  const int64_t taps = c.windows.taps();
  const int64_t rows = c.batches * c.windows.places();
  const int64_t tasks = (rows + kPlacesPerTask - 1) / kPlacesPerTask;
  share_loop(tasks, [&](int64_t task) {
    const int64_t first = task * kPlacesPerTask;
    const int64_t n = std::min(kPlacesPerTask, rows - first);
    const RowTaps offsets(c, first, n);
    std::vector<LinePair> pairs(static_cast<size_t>(taps));
    for (int64_t i = 0; i < n; ++i) {
      size_t count = 0;
      for (int64_t t = 0; t < taps; ++t) {
        const int64_t at = offsets.at(i, t);
        if (at < 0) continue;
        pairs[count++] = {c.input + at, weight(c, t, 0)};
      }
      multiply_lines(pairs.data(), static_cast<int64_t>(count),
                     result + (first + i) * c.groups, c.groups);
    }
  });
}

/// The chain of feature `o` at a place, without the products outside of the
/// input.
float plain_sum(const Convolution& c, const RowTaps& taps, int64_t o) {
  float sum = 0;
  for (int64_t t = 0; t < c.windows.taps(); ++t) {
    const int64_t at = taps.at(0, t);
    for (int64_t i = 0; at >= 0 && i < c.inputs; ++i) {
      sum = std::fma(c.input[at + o / c.outputs * c.inputs + i],
                     *weight(c, t * c.inputs + i, o), sum);
    }
  }
  return sum;
}

/// Adds up the chains one by one.
void convolve_plainly(const Convolution& c, float* result) {
  const int64_t rows = c.batches * c.windows.places();
  const int64_t features = c.groups * c.outputs;
  share_loop(rows, [&](int64_t row) {
    const RowTaps taps(c, row, 1);
    for (int64_t o = 0; o < features; ++o) {
      result[row * features + o] = plain_sum(c, taps, o);
    }
  });
}

}  // namespace

void convolve(const Convolution& c, float* result) {
  if (!c.finite) {
    convolve_plainly(c, result);
    return;
  }
  if (c.inputs == 1 && c.outputs == 1 && c.groups > 1 &&
      c.kernel.column_step == 1) {
    convolve_depthwise(c, result);
    return;
  }
  for (int64_t g = 0; g < c.groups; ++g) {
    multiply_matrices(
        group_rows(c, c.input + g * c.inputs),
        {weight(c, 0, g * c.outputs), c.kernel.row_step, c.kernel.column_step},
        c.outputs, result + g * c.outputs, c.outputs * c.groups);
  }
}

bool all_finite(const float* numbers, int64_t count) {
  constexpr uint32_t kExponent = 0x7f800000;
  uint32_t others = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<uint32_t>(numbers[i]);
    others |= (bits & kExponent) == kExponent ? 1U : 0U;
  }
  return others == 0;
}

}  // namespace hlo::cpu
