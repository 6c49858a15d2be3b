#include "backends/cpu/kernels/tiles/fold_arrays.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/tiles/tile_run.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPerTask =
    int64_t{32} * 1024;                        // elements worth another thread
constexpr int64_t kColumns = 512;              // of a task
constexpr int64_t kGroup = int64_t{4} * 1024;  // numbers that lie in L1
constexpr int64_t kVector = 16;                // of the widest vectors

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

/// Lines that are computed before they are folded: about kGroup numbers, whole
/// vectors where these are not too many.
int64_t lines_of_group(int64_t folded) {
  const int64_t unit = kVector / std::gcd(kVector, folded);
  if (unit * folded > 4 * kGroup) return std::max<int64_t>(kGroup / folded, 1);
  return unit * std::max<int64_t>(kGroup / (unit * folded), 1);
}

float* group_memory(int64_t numbers) {
  return reinterpret_cast<float*>(scratch_bytes(
      Scratch::kLines, sizeof(float) * static_cast<size_t>(numbers)));
}

}  // namespace

void fold_tiles(const TileProgram& program,
                std::span<const std::byte* const> inputs, const LineFold& fold,
                float* lines, float* to) {
  const int64_t n = fold.folded;
  const int64_t outer = program.count / n;
  const int64_t group = lines_of_group(n);
  const int64_t some = group * std::max<int64_t>(kPerTask / (group * n), 1);
  const int64_t lanes = tile_lanes(program);
  share_loop(tasks_of(outer, some), [&](int64_t task) {
    TileRun run(program, inputs, lanes);
    float* const own = lines == nullptr ? group_memory(group * n) : nullptr;
    const int64_t end = std::min(outer, (task + 1) * some);
    for (int64_t first = task * some; first < end; first += group) {
      const int64_t last = std::min(first + group, end);
      float* const begin = lines == nullptr ? own : lines + first * n;
      run.run(first * n, last * n, reinterpret_cast<std::byte*>(begin));
      for (int64_t i = first; i < last; ++i) {
        to[i] = fold_line(fold.fold, begin + (i - first) * n, n, fold.init);
      }
    }
  });
}

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
      windows.offsets(place, offsets.data());
      int64_t count = 0;
      for (const int64_t at : offsets) {
        if (at >= 0) lines[static_cast<size_t>(count++)] = from + at;
      }
      fold_lines(fold, lines.data(), count, init, to + place * n, n);
    }
  });
}

}  // namespace hlo::cpu
