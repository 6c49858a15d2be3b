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
    return [&c, input, taps, rows](int64_t k, int64_t depth, int64_t step,
                                   float* to) {
      for (int64_t i = 0; i < rows; ++i, to += step) {
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
      : c_(c),
        result_(result),
        line_(c.windows.last_line()),
        inside_(line_),
        lines_(c.windows.places() / line_.output) {}

  void run() const {
    const int64_t parts = (line_.output + kPlacesPerTask - 1) / kPlacesPerTask;
    const int64_t lines = c_.batches * lines_;
    const int64_t some =
        std::clamp<int64_t>(lines * parts / kFewTasks, 1, kLinesPerTask);
    const int64_t chunks = (lines + some - 1) / some;
    share_loop(chunks * parts, [&](int64_t task) {
      const int64_t first = task % parts * kPlacesPerTask;
      const int64_t last = std::min(first + kPlacesPerTask, line_.output);
      Taps taps(c_);
      const int64_t line = task / parts * some;
      for (int64_t l = line; l < std::min(line + some, lines); ++l) {
        run(l, first, last, taps);
      }
    });
  }

 private:
  static constexpr int64_t kFewTasks = 32;
  static constexpr int64_t kLinesPerTask = 8;

  /// What a task lists anew for each line.
  struct Taps {
    explicit Taps(const Convolution& c)
        : outer(static_cast<size_t>(c.windows.taps() /
                                    c.windows.last_line().window)) {}

    std::vector<int64_t> outer;
    std::vector<Factors> pairs;
  };

  /// Places of a line: those inside together, the others one by one.
  void run(int64_t line, int64_t first, int64_t last, Taps& taps) const {
    c_.windows.outer_offsets(line % lines_, taps.outer);
    const int64_t begin = std::clamp(inside_.begin, first, last);
    const int64_t end = std::clamp(inside_.end, begin, last);
    for (int64_t i = first; i < begin; ++i) together(line, i, 1, taps);
    if (begin < end) together(line, begin, end - begin, taps);
    for (int64_t i = end; i < last; ++i) together(line, i, 1, taps);
  }

  void together(int64_t line, int64_t first, int64_t places, Taps& taps) const {
    const float* const input = c_.input + line / lines_ * c_.batch_step;
    taps.pairs.clear();
    for (size_t t = 0; t < taps.outer.size(); ++t) {
      for (int64_t w = 0; taps.outer[t] >= 0 && w < line_.window; ++w) {
        const int64_t at = line_.offset(first, w);
        if (at < 0) continue;
        const int64_t row = static_cast<int64_t>(t) * line_.window + w;
        taps.pairs.push_back({input + taps.outer[t] + at, c_.weight(row, 0)});
      }
    }
    multiply_lines({taps.pairs, line_.stride * line_.step, c_.groups}, places,
                   result_ + (line * line_.output + first) * c_.groups);
  }

  const Convolution& c_;
  float* result_;
  WindowLine line_;
  Inside inside_;
  int64_t lines_;  // of a batch
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
  if (c.inputs == 1 && c.outputs == 1 && c.groups > 1 && c.windows.taps() > 0 &&
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
