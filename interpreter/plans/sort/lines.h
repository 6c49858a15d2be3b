#pragma once

#include <cstdint>

#include "interpreter/model/shape.h"

namespace hlo {

/// Lines of elements along one dimension that are put in order together.
struct Lines {
  int64_t count = 0;   // how many lines
  int64_t size = 0;    // elements of each
  int64_t stride = 1;  // between neighbours of a line

  /// The position of a line's first element.
  int64_t first(int64_t line) const {
    return line / stride * stride * size + line % stride;
  }
};

Lines lines_along(const Shape& shape, int64_t dimension);

}  // namespace hlo
