#include "backends/cpu/kernels/moves/pad_array.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/cpu/kernels/view.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kWorthAThread = int64_t{32} * 1024;  // elements

bool is_unpadded(const PaddedDimension& d) {
  return d.low == 0 && d.step == 1 && d.input == d.output;
}

/// Lines along the last dimension that is padded, of runs of elements behind
/// it.
struct Lines {
  std::vector<PaddedDimension> outer;
  PaddedDimension line;
  int64_t run = 1;    // elements
  int64_t first = 0;  // element of a line that has a place
  int64_t count = 0;  // elements of a line that have one
  size_t run_bytes = 0;
  size_t width = 0;
  const std::byte* padding = nullptr;

  Lines(std::span<const PaddedDimension> dims, size_t element,
        const std::byte* own_padding)
      : outer(dims.begin(), dims.end()),
        line{1, 1, 0, 1},
        width(element),
        padding(own_padding) {
    while (!outer.empty() && is_unpadded(outer.back())) {
      run *= outer.back().input;
      outer.pop_back();
    }
    if (!outer.empty()) {
      line = outer.back();
      outer.pop_back();
    }
    run_bytes = static_cast<size_t>(run) * width;
    first = line.low < 0 ? (-line.low - 1) / line.step + 1 : 0;
    const int64_t room = line.output - 1 - line.low;
    const int64_t end = room < 0 ? 0 : room / line.step + 1;
    count = std::max<int64_t>(0, std::min(end, line.input) - first);
  }

  int64_t length() const { return line.output * run; }

  /// The line of the operand that lies in that one of the result; -1: none.
  int64_t source(int64_t at) const {
    int64_t from = 0;
    int64_t stride = 1;
    for (size_t d = outer.size(); d-- > 0;) {
      const PaddedDimension& own = outer[d];
      const int64_t place = at % own.output - own.low;
      at /= own.output;
      if (place < 0 || place % own.step != 0) return -1;
      const int64_t index = place / own.step;
      if (index >= own.input) return -1;
      from += index * stride;
      stride *= own.input;
    }
    return from;
  }

  /// Fills so many places of a line from that one on.
  void fill(std::byte* to, int64_t place, int64_t places) const {
    repeat_element(padding, width, static_cast<size_t>(places * run),
                   to + place * static_cast<int64_t>(run_bytes));
  }

  void write(const std::byte* from, std::byte* to) const {
    if (from == nullptr || count == 0) return fill(to, 0, line.output);
    const auto bytes = static_cast<int64_t>(run_bytes);
    const int64_t begin = line.low + first * line.step;
    from += first * bytes;
    if (line.step == 1) {
      fill(to, 0, begin);
      std::memcpy(to + begin * bytes, from,
                  static_cast<size_t>(count) * run_bytes);
      fill(to, begin + count, line.output - begin - count);
      return;
    }
    fill(to, 0, line.output);
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(to + (begin + i * line.step) * bytes, from + i * bytes,
                  run_bytes);
    }
  }
};

}  // namespace

void pad_array(std::span<const PaddedDimension> dims, size_t width,
               const std::byte* from, const std::byte* padding, std::byte* to) {
  const Lines lines(dims, width, padding);
  int64_t count = 1;
  for (const PaddedDimension& own : lines.outer) count *= own.output;
  const auto bytes = static_cast<int64_t>(width);
  const int64_t source_bytes = lines.line.input * lines.run * bytes;
  const int64_t some = std::max<int64_t>(1, kWorthAThread / lines.length());
  share_loop((count + some - 1) / some, [&](int64_t task) {
    const int64_t last = std::min(count, (task + 1) * some);
    for (int64_t i = task * some; i < last; ++i) {
      const int64_t source = lines.source(i);
      lines.write(source < 0 ? nullptr : from + source * source_bytes,
                  to + i * lines.length() * bytes);
    }
  });
}

}  // namespace hlo::cpu
