#pragma once

#include <cstdint>

#include "backends/tpu/machine/tiled_machine.h"

namespace hlo::tpu {

/// What `to` has counted since it was `from`.
Counters counted_since(const Counters& from, const Counters& to);
void add(Counters& sum, const Counters& more);

/// Cycles of what was counted, by unit. A unit does one thing at a time:
///  - memory moves so many bytes in a cycle, padding like any;
///  - lanes: an operation on a register takes one, and so does a move of lanes
///    by one distance;
///  - matrix: a pass takes as many as the unit has rows, which stream through;
///  - scalar: an element that is read or written alone takes one.
struct Cycles {
  int64_t memory = 0;
  int64_t lanes = 0;
  int64_t matrix = 0;
  int64_t scalar = 0;

  /// Where nothing happens beside anything else.
  int64_t sum() const { return memory + lanes + matrix + scalar; }

  /// Where all units work all the time.
  int64_t most() const;
};

Cycles cycles_of(const Counters& counters, const Generation& generation);

/// Operations on numbers: one for each lane of an operation on a register, two
/// for each cell and row of a pass. Lanes and cells that hold nothing count.
int64_t operations_of(const Counters& counters, const Generation& generation);

}  // namespace hlo::tpu
