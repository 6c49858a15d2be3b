#include "backends/cpu/kernels/products/convolve.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "backends/cpu/kernels/products/convolve_lines.h"
#include "backends/cpu/kernels/products/finite_numbers.h"
#include "backends/cpu/kernels/products/multiply_matrices.h"
#include "backends/cpu/kernels/products/panels.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPlacesPerTask = 128;

/// Where the taps of some rows lie: rows are batches, then places.
class RowTaps {
 public:
  RowTaps(const Convolution& c, int64_t first, int64_t rows)
      : taps_(c.windows.taps()), offsets_(static_cast<size_t>(rows * taps_)) {
    const int64_t places = c.windows.places();
    for (int64_t i = 0; i < rows;) {
      const int64_t place = (first + i) % places;
      const int64_t n = std::min(rows - i, places - place);
      int64_t* own = offsets_.data() + i * taps_;
      c.windows.offsets(place, n, own);
      const int64_t base = (first + i) / places * c.batch_step;
      for (int64_t t = 0; base != 0 && t < n * taps_; ++t) {
        if (own[t] >= 0) own[t] += base;
      }
      i += n;
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
  const auto list = [&c, input](int64_t first, int64_t rows) -> PackRows {
    const auto taps = std::make_shared<const RowTaps>(c, first, rows);
    return [&c, input, taps, rows](int64_t k, int64_t depth, float* to) {
      for (int64_t i = 0; i < rows; ++i, to += kRowStep) {
        pack_taps(c, input, *taps, i, k, depth, to);
      }
    };
  };
  return {
      c.batches * c.windows.places(), c.windows.taps() * c.inputs, {}, list};
}

/// Places of a line whose taps along it are all in the input.
struct Inside {
  int64_t begin;
  int64_t end;

  explicit Inside(const WindowLine& line) : begin(0), end(0) {
    if (line.base_dilation != 1) return;
    const int64_t reach = (line.window - 1) * line.window_dilation;
    const int64_t last = line.input - 1 + line.low - reach;
    begin = std::max<int64_t>(0, (line.low + line.stride - 1) / line.stride);
    end = last < 0 ? 0 : std::min(line.output, last / line.stride + 1);
  }
};

/// One feature of the input for each of the result.
class Depthwise {
 public:
  Depthwise(const Convolution& c, float* result)
      : c_(c), result_(result), line_(c.windows.last_line()), inside_(line_) {}

  void run() const {
    const int64_t parts = (line_.output + kPlacesPerTask - 1) / kPlacesPerTask;
    const int64_t rows = c_.batches * c_.windows.places() / line_.output;
    share_loop(rows * parts, [&](int64_t task) {
      const int64_t first = task % parts * kPlacesPerTask;
      run(task / parts, first, std::min(first + kPlacesPerTask, line_.output));
    });
  }

 private:
  /// Places of a row: those inside together, the others one by one.
  void run(int64_t row, int64_t first, int64_t last) const {
    const int64_t begin = std::clamp(inside_.begin, first, last);
    const int64_t end = std::clamp(inside_.end, begin, last);
    const int64_t before = row * line_.output;
    for (int64_t i = first; i < begin; ++i) together(before + i, 1);
    if (begin < end) together(before + begin, end - begin);
    for (int64_t i = end; i < last; ++i) together(before + i, 1);
  }

  void together(int64_t first, int64_t places) const {
    const RowTaps taps(c_, first, 1);
    std::vector<Factors> pairs;
    for (int64_t t = 0; t < c_.windows.taps(); ++t) {
      const int64_t at = taps.at(0, t);
      if (at >= 0) pairs.push_back({c_.input + at, c_.weight(t, 0)});
    }
    multiply_lines({pairs, line_.stride * line_.step, c_.groups}, places,
                   result_ + first * c_.groups);
  }

  const Convolution& c_;
  float* result_;
  WindowLine line_;
  Inside inside_;
};

/// The chain of feature `o` at a place, without the products outside of the
/// input.
float plain_sum(const Convolution& c, const RowTaps& taps, int64_t o) {
  float sum = 0;
  for (int64_t t = 0; t < c.windows.taps(); ++t) {
    const int64_t at = taps.at(0, t);
    for (int64_t i = 0; at >= 0 && i < c.inputs; ++i) {
      sum = std::fma(c.input[at + o / c.outputs * c.inputs + i],
                     *c.weight(t * c.inputs + i, o), sum);
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
  if (c.batches * c.windows.places() == 0) return;
  if (c.inputs == 1 && c.outputs == 1 && c.groups > 1 &&
      c.kernel.column_step == 1) {
    Depthwise(c, result).run();
    return;
  }
  if (convolve_lines(c, result)) return;
  if (c.windows.reach_outside() && !all_finite(c.weights)) {
    convolve_plainly(c, result);
    return;
  }
  for (int64_t g = 0; g < c.groups; ++g) {
    multiply_matrices(group_rows(c, c.input + g * c.inputs),
                      c.kernel.columns_from(g * c.outputs), c.outputs,
                      result + g * c.outputs, c.outputs * c.groups);
  }
}

}  // namespace hlo::cpu
