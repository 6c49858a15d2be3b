#pragma once

#include <cstdint>
#include <vector>

#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// A number, read for each index of a result, that says where an element comes
/// from: it is clamped to 0 and `largest`, and counts `stride` elements.
struct TakeIndex {
  const Value* indices = nullptr;
  int64_t base = 0;  // in elements
  int64_t largest = 0;
  int64_t stride = 0;
  Ints strides;  // of the indices, along the result's dimensions
};

/// One launch of gpu_take (kernels/order.inc).
struct Take {
  const Value* operand = nullptr;
  Ints strides;  // of the operand, along the result's dimensions
  std::vector<TakeIndex> indices;
};

/// An array of that shape; its element type is the operand's.
Value launch(Memory& memory, const Take& take, const Shape& shape);

}  // namespace hlo::gpu
