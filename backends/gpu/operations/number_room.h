#pragma once

#include <cstdint>
#include <functional>

#include "backends/gpu/program/value.h"

// Room for numbers without bounds (kernels/big.inc).

namespace hlo::gpu {

/// Bits from below the least to above the largest number of a float type, or of
/// the parts of a complex one.
int64_t range_in_bits(ElementType type);
/// Whether the type's numbers, or their parts, are those of f64.
bool is_double(ElementType type);
/// Bits of x - q for a number x of `range` bits and q, which has 64 bits and is
/// next to a result of that type (rounded_fraction).
int64_t bits_of_difference(int64_t range, ElementType result);
/// Bytes of a slot for integers of that many bits, a multiple of 8.
int64_t slot_bytes(int64_t bits);
/// Bits that count to n > 0.
int64_t bits_of_count(int64_t n);

/// Runs items 0 to count - 1, each with `bytes` of room of its own, some at a
/// time: run(end, first, offset of the room). Throws Unsupported where one
/// takes too much.
void run_with_room(Memory& memory, int64_t count, int64_t bytes,
                   const std::function<void(int64_t, int64_t, int64_t)>& run);

}  // namespace hlo::gpu
