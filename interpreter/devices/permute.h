#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "interpreter/rules/devices/slice_moves.h"
#include "interpreter/run/future.h"
#include "interpreter/run/network.h"

namespace hlo {

/// A slice that goes from an offset in an array of its source to one in an
/// array of its target, both clamped.
struct SliceTransfer : SliceMove {
  Ints from;
  Ints to;
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
