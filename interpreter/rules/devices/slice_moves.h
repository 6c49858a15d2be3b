#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/rules/devices/collective.h"

// Which slices a collective-permute in place moves, and where to
// (spec/ops/collective_permute.md, Result).

namespace hlo {

/// A slice that a member of a group sends to one.
struct SliceMove {
  std::pair<int64_t, int64_t> pair;  // of source_target_pairs
  size_t source = 0;                 // members, as in DeviceGroups::members
  size_t target = 0;
  size_t array = 0;  // which of the inputs and outputs
  size_t slice = 0;  // which of the source's slices of it
  size_t place = 0;  // which of the target's places in it
  Ints sizes;
};

/// Which member each id of the pairs is. `devices` are the flattened ids of the
/// group.
std::map<int64_t, size_t> members_by_id(const Instruction& permute,
                                        const Grid& grid,
                                        std::span<const int64_t> devices);

/// The slices that a group moves in the order in which they are written; all
/// members have operands of these shapes: inputs, outputs. Evaluate error
/// "collective-permute.slice".
std::vector<SliceMove> slice_moves(const Instruction& permute, const Grid& grid,
                                   std::span<const int64_t> devices,
                                   const Shape& inputs, const Shape& outputs);

/// Reads the integer at a place in a tuple of offsets.
using IntegerAt = std::function<int64_t(std::span<const size_t> place)>;

/// Offset k among the offsets of an array, clamped so that a slice of these
/// sizes lies in it. `offsets` is a tuple of indices, or one of such tuples.
/// Evaluate error "collective-permute.slice".
Ints slice_offset(const Shape& offsets, size_t k, const Shape& array,
                  const Ints& sizes, const IntegerAt& integer_at);

}  // namespace hlo
