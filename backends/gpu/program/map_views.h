#pragma once

#include <cstdint>
#include <vector>

#include "backends/gpu/program/tape.h"
#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// Where the elements of an array lie for each index of a launch: at base plus
/// the sum of index times stride, in elements.
struct View {
  int64_t offset = 0;  // of the array, in bytes
  ElementType type = ElementType::kPred;
  int64_t base = 0;
  Ints strides;
};

/// In bytes of the heap, with the base.
int64_t byte_offset(const View& view);
/// The whole of an array.
View view_of(const Value& array);
/// The array's elements without a base.
View view_of(const Value& array, Ints strides, int64_t base = 0);

/// A result of a launch.
struct Result {
  View view;
  int64_t reg = 0;  // the register that it gets
};

/// One launch of gpu_map (kernels/map.inc): registers 0, 1, ... get the inputs'
/// elements at each index of `sizes`.
struct Map {
  Ints sizes;
  std::vector<View> inputs;
  std::vector<Result> results;
  Tape tape;
};

}  // namespace hlo::gpu
