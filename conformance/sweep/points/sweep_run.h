#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// Operands that grow in magnitude and have one sign, at [begin, end) of the
/// arrays. `next`: the element at `end` belongs to the next chunk and is there
/// so that no two neighbours are missed.
struct SweepRun {
  int64_t begin = 0;
  int64_t end = 0;
  bool next = false;
  size_t sign = 0;       // 1: -
  int64_t segments = 1;  // that are told apart in a plot

  int64_t size() const { return end - begin; }
};

/// The operands of one chunk, as dense arrays.
struct SweepPoints {
  std::vector<Literal> operands;
  /// All elements that count. Of one operand: those with sign + and those with
  /// sign -, of a complex one that of its imaginary part; of two operands, and
  /// of integers, one run in no order.
  std::vector<SweepRun> runs;
  /// Whether the runs are two, of the same magnitudes.
  bool mirrored = false;
};

}  // namespace hlo::conformance
