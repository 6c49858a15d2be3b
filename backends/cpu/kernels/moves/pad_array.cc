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

/// Modulo 2^64: differences of places may be beyond 64 bits with a sign.
uint64_t word(int64_t number) { return static_cast<uint64_t>(number); }

/// The element at a place, or -1.
int64_t element_at(const PaddedDimension& d, int64_t place) {
  if (place < d.low) return -1;
  const uint64_t behind = word(place) - word(d.low);
  if (behind % word(d.step) != 0) return -1;
  const uint64_t element = behind / word(d.step);
  return element < word(d.input) ? static_cast<int64_t>(element) : -1;
}

/// Lines along the last dimension that is padded, of runs of elements behind
/// it.
struct Lines {
  std::vector<PaddedDimension> outer;
  PaddedDimension line;
  int64_t run = 1;  // elements
  PlacedElements placed;
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
    placed = placed_elements(line);
  }

  int64_t length() const { return line.output * run; }

  /// The line of the operand that lies in that one of the result; -1: none.
  int64_t source(int64_t at) const {
    int64_t from = 0;
    int64_t stride = 1;
    for (size_t d = outer.size(); d-- > 0;) {
      const PaddedDimension& own = outer[d];
      const int64_t index = element_at(own, at % own.output);
      at /= own.output;
      if (index < 0) return -1;
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
    const auto& [first, count, begin] = placed;
    if (from == nullptr || count == 0) return fill(to, 0, line.output);
    const auto bytes = static_cast<int64_t>(run_bytes);
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

PlacedElements placed_elements(const PaddedDimension& dimension) {
  const auto& [input, output, low, step] = dimension;
  const uint64_t before = low < 0 ? uint64_t{0} - word(low) : 0;
  const uint64_t first =
      before / word(step) + (before % word(step) != 0 ? 1 : 0);
  if (first >= word(input)) return {};
  const auto place = static_cast<int64_t>(word(low) + first * word(step));
  if (place >= output) return {};
  const auto begin = static_cast<int64_t>(first);
  return {begin, std::min(input - begin, (output - 1 - place) / step + 1),
          place};
}

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
