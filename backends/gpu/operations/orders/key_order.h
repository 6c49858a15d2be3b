#pragma once

#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// Keys in order, and where each stood in its line before.
struct OrderedKeys {
  Value keys;
  Value indices;
};

/// The keys of each line from the least to the greatest; equal ones stay as
/// they are. Keys are u64[lines, length] of `bits` bits and are overwritten.
OrderedKeys ordered(Memory& memory, const Value& keys, int64_t bits);

}  // namespace hlo::gpu
