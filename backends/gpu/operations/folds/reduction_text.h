#pragma once

#include <cstdint>
#include <vector>

#include "backends/gpu/device/device.h"
#include "backends/gpu/program/map_views.h"
#include "backends/gpu/program/tape.h"

namespace hlo::gpu {

/// What the elements of a reduce's inputs are: registers of a tape on arrays,
/// each seen along the inputs' dimensions.
struct Terms {
  std::vector<View> inputs;  // registers 0, 1, ...
  Tape tape;
  std::vector<int64_t> registers;  // of each input of the reduce
};

/// How terms become a result: by an exact sum, by additions of f32 or f64 one
/// after the other, or by a computation on scalars.
enum class Fold : uint8_t { kExactSum, kChain, kRegion };

/// A reduce as one kernel, of which an item folds the terms of an element.
struct Reduction {
  const Terms* terms = nullptr;
  Fold fold = Fold::kRegion;
  Ints sizes;
  Ints taps;
  std::vector<Ints> o_strides =
      {};  // of each input of the terms, along `sizes`
  std::vector<Ints> t_strides = {};     // along `taps`
  std::vector<ElementType> types = {};  // of the results
  Tape region = {};                     // on states, then elements
  std::vector<int64_t> registers = {};  // of the region's results
};

/// Its parameters are the number of elements of a result, and the offset of
/// each input of the terms, of each initial value, and of each result, in
/// bytes.
KernelText text_of(const Reduction& own);

}  // namespace hlo::gpu
