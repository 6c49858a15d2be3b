#pragma once

#include <utility>
#include <vector>

#include "interpreter/model/attribute.h"

namespace hlo::builder {

/// kSame: as many places as the dimension has elements, divided by the stride
/// and rounded up; the padding at the end is at most one more than at the
/// start. kValid: none.
enum class Padding : uint8_t { kSame, kValid };

/// Before and behind, for each dimension.
using PaddingPairs = std::vector<std::pair<int64_t, int64_t>>;

/// The padding of windows over dimensions of these sizes; windows are as large
/// as they are with their holes. Error "builder.C5" where the lists differ in
/// length. What no window has (a stride of 0) gets none, and is left to the
/// rules of windows.
PaddingPairs MakePadding(const Ints& sizes, const Ints& windows,
                         const Ints& strides, Padding padding);

/// How a window moves; lists that are empty stand for 1 in each dimension (no
/// padding).
struct WindowMoves {
  Ints strides = {};
  PaddingPairs padding = {};
  Ints base_dilations = {};
  Ints window_dilations = {};
  std::vector<bool> reversal = {};
};

/// The window of these sizes. Error "builder.C5" where lists differ in length.
Window MakeWindow(const Ints& sizes, const WindowMoves& moves);

}  // namespace hlo::builder
