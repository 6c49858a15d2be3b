#pragma once

#include <cstddef>

#include "backends/cpu/kernels/view.h"

namespace hlo::cpu {

/// Writes the view's elements to `to`, row-major, in blocks of lines of the
/// cache, where the last dimension's elements lie apart and another's beside
/// each other; false, and nothing, of other views. The width is 1, 2, 4, 8 or
/// 16 bytes.
bool copy_turned(const View& collapsed, size_t width, const std::byte* from,
                 std::byte* to);

}  // namespace hlo::cpu
