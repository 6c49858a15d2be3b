#pragma once

#include <cstdint>
#include <vector>

#include "backends/gpu/program/tape.h"
#include "interpreter/model/element_type.h"

namespace hlo::gpu {

/// What a comparator compares of both rows: those with the same key are in the
/// order of the next one.
struct SortKey {
  int64_t reg = 0;  // of the first row's key, in the comparator's tape
  ElementType type = ElementType::kPred;
  bool is_total = false;  // else NaN has no place
  bool descends = false;
};

/// The keys of a comparator, the first one first: it is a comparison of what it
/// computes of one row with the same of the other, or that or, where both are
/// equal, another such one. None where its answer is something else. Registers
/// 2k and 2k + 1 of the tape, k less than `elements`, hold element k of both
/// rows.
std::vector<SortKey> sort_keys_of(const Tape& comparator, int64_t answer,
                                  int64_t elements);

}  // namespace hlo::gpu
