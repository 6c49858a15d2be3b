#pragma once

#include <cstdint>
#include <map>

#include "backends/tpu/generations/generation.h"
#include "backends/tpu/machine/matrix_mode.h"
#include "backends/tpu/machine/tile_record.h"
#include "backends/tpu/memory/fault.h"
#include "backends/tpu/memory/hbm.h"
#include "backends/tpu/memory/scratch_registers.h"
#include "interpreter/run/evaluator.h"

namespace hlo::tpu {

/// What an execution cost, in the machine's own steps.
struct Counters {
  int64_t loads = 0;                // registers loaded from arrays
  int64_t stores = 0;               // registers stored to arrays
  int64_t shifts = 0;               // lanes of a register moved by one distance
  int64_t vector_operations = 0;    // on registers
  int64_t matrix_passes = 0;        // of a block through the matrix unit
  int64_t relayouts = 0;            // copies of arrays to another layout
  int64_t bytes_moved = 0;          // between arrays and registers
  int64_t padding_moved = 0;        // of them, bytes of padding
  int64_t elements_one_by_one = 0;  // read or written alone
  int64_t untiled_bytes = 0;        // of arrays that it had outside of tiles
  int64_t splits = 0;               // operations that were done in pieces
  int64_t pieces = 0;               // runs, blocks, instructions on blocks
};

/// A machine: its memories and what it has done. It computes lanes with the
/// reference's loops for elements; where they lie is its own business.
struct Machine {
  Hbm memory;
  /// Nothing lies there between two operations: devices that run in turns may
  /// share it.
  Scratch& scratch;
  Counters counters = {};
  Counters of_relayouts = {};  // the part that copies between layouts have
  MatrixMode matrix = MatrixMode::kExact;
  Fault fault = Fault::kNone;
  /// What applies regions that are no loops over elements, and evaluates parts
  /// of arrays in the scratch memory.
  Evaluator& evaluator;
  const Generation* generation = &generations().front();
  /// The counters by instruction; null: what none asked for.
  std::map<const Instruction*, Counters> by_instruction = {};
  Counters given = {};           // the part of the counters that is there
  TileRecord* record = nullptr;  // of what goes to and from arrays, if kept

  bool has(Fault asked) const { return fault == asked; }
};

}  // namespace hlo::tpu
