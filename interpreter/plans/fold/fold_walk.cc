#include "interpreter/plans/fold/fold_walk.h"

#include <cstdlib>

namespace hlo {
namespace {

/// Rounds toward minus infinity; b > 0.
int64_t floor_divide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// A loop that is long enough to be the innermost one.
bool is_long(const FoldLoop& loop) { return loop.extent >= 16; }

}  // namespace

Progression elements_on(int64_t count, int64_t step, int64_t start,
                        int64_t size, int64_t dilation) {
  const int64_t last = (size - 1) * dilation;
  if (count == 0 || size == 0) return {0, 0, 1};
  if (step == 0) {
    const bool hit = start >= 0 && start <= last && start % dilation == 0;
    return {0, hit ? count : 0, 1};
  }
  const int64_t stride = dilation / std::gcd(step, dilation);
  int64_t first = std::max<int64_t>(0, -floor_divide(start, step));
  const int64_t end = std::min(count, floor_divide(last - start, step) + 1);
  for (int64_t tries = 0; tries < stride; ++tries, ++first) {
    if (first >= end) break;
    if ((first * step + start) % dilation == 0) {
      // The stride may be near 2^63: it is told only where there is a second.
      const int64_t more = (end - first - 1) / stride;
      return {first, more + 1, more > 0 ? stride : 1};
    }
  }
  return {0, 0, 1};
}

void arrange(std::vector<FoldLoop>& loops) {
  std::erase_if(loops, [](const FoldLoop& loop) { return loop.extent == 1; });
  std::ranges::stable_sort(loops, std::ranges::greater{}, &FoldLoop::source);
  std::vector<FoldLoop> merged;
  for (const FoldLoop& loop : loops) {
    if (!merged.empty() && merged.back().source == loop.source * loop.extent &&
        merged.back().target == loop.target * loop.extent) {
      merged.back() = {merged.back().extent * loop.extent, loop.source,
                       loop.target};
    } else {
      merged.push_back(loop);
    }
  }
  if (merged.empty()) merged.push_back({1, 0, 0});
  if (!is_long(merged.back())) {
    const auto found = std::find_if(merged.rbegin(), merged.rend(), is_long);
    if (found != merged.rend()) std::rotate(merged.rbegin(), found, found + 1);
  }
  loops = std::move(merged);
}

std::vector<FoldAxis> part_of(std::vector<FoldAxis> axes, size_t axis,
                              int64_t begin, int64_t end) {
  if (axes.empty()) return axes;
  axes[axis].result_size = end - begin;
  axes[axis].offset += begin * axes[axis].result_step;
  return axes;
}

size_t split_axis(const std::vector<FoldAxis>& axes) {
  for (size_t a = 0; a < axes.size(); ++a) {
    if (axes[a].result_size > 1) return a;
  }
  return axes.empty() ? 0 : axes.size() - 1;
}

}  // namespace hlo
