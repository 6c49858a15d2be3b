#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "interpreter/model/attribute.h"
#include "interpreter/model/shape.h"

namespace hlo {

/// The labels under which an operation's page states the rules of windows.
struct WindowRules {
  std::string_view rank;      // one window dimension per windowed dimension
  std::string_view size;      // sizes are at least 1
  std::string_view stride;    // strides are at least 1
  std::string_view dilation;  // dilations are at least 1
  std::string_view extent;    // paddings and dilated sizes are at most 2^60
};

/// How many places a window takes in a dimension of `size`: the dimension is
/// dilated and padded first, the window dilated. kUnbounded stays unbounded.
/// Verify errors of `rules`.
int64_t window_places(int64_t size, const WindowDimension& window,
                      const WindowRules& rules);

/// Lays `window` over all dimensions of `shape`, which keeps its element type
/// and dynamic marks. Verify errors of `rules`.
Shape infer_window(const Shape& shape, const Window& window,
                   const WindowRules& rules);

}  // namespace hlo
