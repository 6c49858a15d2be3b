#include "backends/cpu/kernels/windows.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hlo::cpu {
int64_t WindowLine::offset(int64_t place, int64_t tap) const {
  const int64_t at = place * stride - low + tap * window_dilation;
  if (at < 0 || at % base_dilation != 0) return -1;
  const int64_t element = at / base_dilation;
  return element < input ? element * step : -1;
}

bool WindowLine::reaches_outside() const {
  const int64_t last =
      (output - 1) * stride - low + (window - 1) * window_dilation;
  return base_dilation != 1 || low > 0 || last >= input || low < -input;
}

std::vector<WindowLine> window_lines(const Window& window, const View& input,
                                     const View& output) {
  std::vector<WindowLine> lines;
  for (size_t s = 0; s < window.dims.size(); ++s) {
    const WindowDimension& w = window.dims[s];
    lines.push_back({input.dims[s + 1], w.size, output.dims[s + 1], w.stride,
                     w.low, w.window_dilation, w.base_dilation,
                     input.strides[s + 1]});
  }
  return lines;
}

Windows::Windows(std::vector<WindowLine> lines) : lines_(std::move(lines)) {
  for (const WindowLine& line : lines_) {
    places_ *= line.output;
    taps_ *= line.window;
  }
}

bool Windows::reach_outside() const {
  return std::ranges::any_of(lines_, &WindowLine::reaches_outside);
}

WindowLine Windows::last_line() const {
  return lines_.empty() ? WindowLine{1, 1, 1} : lines_.back();
}

void Windows::outer_offsets(int64_t place, std::vector<int64_t>& to) const {
  const auto taps = std::ssize(to);
  std::ranges::fill(to, 0);
  int64_t rest = place;
  int64_t repeats = 1;  // taps of the lines so far, the last line fastest
  for (size_t d = lines_.empty() ? 0 : lines_.size() - 1; d-- > 0;) {
    const WindowLine& line = lines_[d];
    const int64_t along = rest % line.output;
    rest /= line.output;
    for (int64_t w = 0; w < line.window; ++w) {
      const int64_t offset = line.offset(along, w);
      const int64_t period = repeats * line.window;
      for (int64_t first = w * repeats; first < taps; first += period) {
        for (int64_t t = first; t < first + repeats; ++t) {
          int64_t& own = to[static_cast<size_t>(t)];
          own = own < 0 || offset < 0 ? -1 : own + offset;
        }
      }
    }
    repeats *= line.window;
  }
}

void Windows::offsets(int64_t first, int64_t count, int64_t* to) const {
  if (taps_ == 0) return;
  if (lines_.empty()) {
    std::fill_n(to, count, 0);
    return;
  }
  const WindowLine& line = lines_.back();
  std::vector<int64_t> outer(static_cast<size_t>(taps_ / line.window));
  std::vector<int64_t> inner(static_cast<size_t>(line.window));
  int64_t along = first % line.output;
  for (int64_t place = first; place < first + count; ++place, ++along) {
    if (along == line.output) along = 0;
    if (along == 0 || place == first) {
      outer_offsets(place / line.output, outer);
    }
    for (int64_t w = 0; w < line.window; ++w) {
      inner[static_cast<size_t>(w)] = line.offset(along, w);
    }
    for (const int64_t own : outer) {
      for (const int64_t more : inner) {
        *to++ = own < 0 || more < 0 ? -1 : own + more;
      }
    }
  }
}

}  // namespace hlo::cpu
