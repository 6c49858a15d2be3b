#include "backends/cpu/kernels/tiles/fold_arrays.h"

#include <algorithm>
#include <vector>

#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPerTask =
    int64_t{32} * 1024;            // elements worth another thread
constexpr int64_t kColumns = 512;  // of a task

int64_t tasks_of(int64_t count, int64_t per_task) {
  return (count + per_task - 1) / per_task;
}

void fold_rows(Fold fold, const FoldSizes& sizes, const float* from, float init,
               float* to) {
  const int64_t some =
      std::max<int64_t>(kPerTask / std::max<int64_t>(sizes.folded, 1), 1);
  share_loop(tasks_of(sizes.outer, some), [&](int64_t task) {
    const int64_t last = std::min(sizes.outer, (task + 1) * some);
    for (int64_t i = task * some; i < last; ++i) {
      to[i] = fold_line(fold, from + i * sizes.folded, sizes.folded, init);
    }
  });
}

}  // namespace

void fold_middle(Fold fold, const FoldSizes& sizes, const float* from,
                 float init, float* to) {
  if (sizes.inner == 1) return fold_rows(fold, sizes, from, init, to);
  const int64_t blocks = tasks_of(sizes.inner, kColumns);
  const auto body = [&](int64_t task) {
    const int64_t outer = task / blocks;
    const int64_t column = task % blocks * kColumns;
    const float* first = from + outer * sizes.folded * sizes.inner + column;
    std::vector<const float*> lines(static_cast<size_t>(sizes.folded));
    for (int64_t i = 0; i < sizes.folded; ++i) {
      lines[static_cast<size_t>(i)] = first + i * sizes.inner;
    }
    fold_lines(fold, lines.data(), sizes.folded, init,
               to + outer * sizes.inner + column,
               std::min(kColumns, sizes.inner - column));
  };
  share_loop(sizes.outer * blocks, body);
}

void fold_windows(Fold fold, const Windows& windows, const float* from,
                  float init, float* to, int64_t n) {
  const int64_t some =
      std::max<int64_t>(kPerTask / std::max<int64_t>(n * windows.taps(), 1), 1);
  share_loop(tasks_of(windows.places(), some), [&](int64_t task) {
    std::vector<int64_t> offsets(static_cast<size_t>(windows.taps()));
    std::vector<const float*> lines(offsets.size());
    const int64_t last = std::min(windows.places(), (task + 1) * some);
    for (int64_t place = task * some; place < last; ++place) {
      windows.offsets(place, 1, offsets.data());
      int64_t count = 0;
      for (const int64_t at : offsets) {
        if (at >= 0) lines[static_cast<size_t>(count++)] = from + at;
      }
      fold_lines(fold, lines.data(), count, init, to + place * n, n);
    }
  });
}

}  // namespace hlo::cpu
