#include "backends/cpu/kernels/windows.h"

#include <cstddef>
#include <utility>

namespace hlo::cpu {
namespace {

/// Where one tap lies along a line, or -1.
int64_t offset_along(const WindowLine& line, int64_t place, int64_t tap) {
  const int64_t at =
      place * line.stride - line.low + tap * line.window_dilation;
  if (at < 0 || at % line.base_dilation != 0) return -1;
  const int64_t element = at / line.base_dilation;
  return element < line.input ? element * line.step : -1;
}

}  // namespace

Windows::Windows(std::vector<WindowLine> lines) : lines_(std::move(lines)) {
  for (const WindowLine& line : lines_) {
    places_ *= line.output;
    taps_ *= line.window;
  }
}

void Windows::offsets(int64_t place, int64_t* to) const {
  int64_t rest = place;
  int64_t repeats = 1;  // taps of the lines so far, the last line fastest
  for (int64_t t = 0; t < taps_; ++t) to[t] = 0;
  for (size_t d = lines_.size(); d-- > 0;) {
    const WindowLine& line = lines_[d];
    const int64_t along = rest % line.output;
    rest /= line.output;
    for (int64_t w = 0; w < line.window; ++w) {
      const int64_t offset = offset_along(line, along, w);
      const int64_t period = repeats * line.window;
      for (int64_t first = w * repeats; first < taps_; first += period) {
        for (int64_t t = first; t < first + repeats; ++t) {
          to[t] = to[t] < 0 || offset < 0 ? -1 : to[t] + offset;
        }
      }
    }
    repeats *= line.window;
  }
}

}  // namespace hlo::cpu
