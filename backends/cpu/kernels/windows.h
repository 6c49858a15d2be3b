#pragma once

#include <cstdint>
#include <vector>

#include "backends/cpu/kernels/view.h"
#include "interpreter/model/attribute.h"

namespace hlo::cpu {

/// One dimension that a window moves along, as in HLO's `window`.
struct WindowLine {
  int64_t input = 0;   // elements
  int64_t window = 0;  // taps
  int64_t output = 0;  // places of the window
  int64_t stride = 1;
  int64_t low = 0;  // padding before the first element
  int64_t window_dilation = 1;
  int64_t base_dilation = 1;
  int64_t step = 0;  // of the input in memory

  /// Where the element of a tap lies along the line, or -1 if there is none.
  int64_t offset(int64_t place, int64_t tap) const;

  /// Whether a tap is outside of the input, or between its elements, at some
  /// place.
  bool reaches_outside() const;
};

/// The lines of a convolution's window over an input, and the places of an
/// output, whose first dimension is the batch and whose last has features.
std::vector<WindowLine> window_lines(const Window& window, const View& input,
                                     const View& output);

/// Places of a window over several dimensions, and what it covers there.
class Windows {
 public:
  explicit Windows(std::vector<WindowLine> lines);

  int64_t places() const { return places_; }

  int64_t taps() const { return taps_; }

  /// Whether a tap is outside of the input at some place.
  bool reach_outside() const;

  /// The last line; without any one of one place.
  WindowLine last_line() const;

  /// Writes for each tap at each of `count` places from `first` on where its
  /// element lies in memory, or -1 for those outside of the input.
  void offsets(int64_t first, int64_t count, int64_t* to) const;

  /// Writes for each tap of the lines but the last one, at a place of theirs,
  /// where it lies in memory, or -1.
  void outer_offsets(int64_t place, std::vector<int64_t>& to) const;

 private:
  std::vector<WindowLine> lines_;
  int64_t places_ = 1;
  int64_t taps_ = 1;
};

}  // namespace hlo::cpu
