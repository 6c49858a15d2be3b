#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "backends/cpu/kernels/combined.h"

namespace hlo::cpu {

/// Where a run of a window lies, counted in elements from where the window
/// begins.
struct WindowRun {
  int64_t in_array = 0;
  int64_t in_list = 0;
};

/// Writes where windows first ... last - 1 begin in the array, -1 of those that
/// are left out, and in the list.
using FindWindows = std::function<void(int64_t first, int64_t last,
                                       int64_t* starts, int64_t* places)>;

/// Windows of one size in an array, each in some place, and the list of their
/// elements. A window is runs of elements.
struct WindowList {
  int64_t count = 0;
  FindWindows find;
  std::vector<WindowRun> runs;
  int64_t length = 1;      // of a run
  int64_t array_step = 1;  // between elements of a run
  int64_t list_step = 1;
  bool runs_outside = false;  // the same run of many windows, then the next
  bool streams = false;       // the list is written past the caches
  /// Windows that do not begin at one place have no element in common.
  bool disjoint = false;
};

/// Writes the elements of the windows to the list; none is left out. The width
/// is 1, 2, 4, 8 or 16 bytes.
void gather_windows(const WindowList& windows, size_t width,
                    const std::byte* array, std::byte* list);

/// Combines the elements of an array of `count` with those of the list, window
/// after window; false of types that with_stored_element has not.
bool scatter_windows(const WindowList& windows, Combine how, ElementType type,
                     const std::byte* list, std::byte* array, int64_t count);

}  // namespace hlo::cpu
