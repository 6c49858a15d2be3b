#pragma once

#include <cstdint>
#include <optional>

#include "backends/gpu/program/tape.h"
#include "interpreter/model/element_type.h"

namespace hlo::gpu {

/// A comparator that compares what it computes of one row with what it computes
/// of the other: rows are in order as these keys are.
struct SortKey {
  int64_t reg = 0;  // of the first row's key, in the comparator's tape
  ElementType type = ElementType::kPred;
  bool is_total = false;  // else NaN has no place
  bool descends = false;
};

/// What the tape of a comparator compares; nothing where its answer is not a
/// comparison of keys. Its registers 2k and 2k + 1, k less than `elements`,
/// hold element k of both rows.
std::optional<SortKey> sort_key_of(const Tape& comparator, int64_t answer,
                                   int64_t elements);

}  // namespace hlo::gpu
