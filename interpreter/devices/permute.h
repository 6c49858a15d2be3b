#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "interpreter/run/future.h"
#include "interpreter/run/network.h"

namespace hlo {

/// One slice that a collective-permute in place writes into an array of its
/// target (spec/ops/collective_permute.md, Result).
struct SliceTransfer {
  std::pair<int64_t, int64_t> pair;  // of source_target_pairs
  size_t source = 0;                 // members of the meeting
  size_t target = 0;
  size_t array = 0;  // which of the inputs and outputs
  size_t slice = 0;  // which of the source's slices of it
  size_t place = 0;  // which of the target's places in it
  Ints from;         // offsets, clamped
  Ints to;
  Ints sizes;
};

/// The slices of a meeting in the order in which they are written. Evaluate
/// error "collective-permute.slice".
std::vector<SliceTransfer> slice_transfers(const Meeting& meeting);
/// The members of a meeting by the ids that its pairs name.
std::map<int64_t, size_t> members_by_id(const Meeting& meeting);
/// The arrays of an operand: the elements of a tuple, or the one array.
std::vector<Literal> arrays_of(const Literal& operand);

/// The value of collective-permute and its start. A device that no pair names
/// gets zeros, or the buffers as they are.
Future permute_arrays(const Instruction& permute, Operands operands,
                      Evaluator& evaluator);

}  // namespace hlo
