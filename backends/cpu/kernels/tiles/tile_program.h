#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/kernels/lanes/lane_op.h"
#include "backends/cpu/kernels/stored.h"
#include "backends/cpu/kernels/view.h"

namespace hlo::cpu {

/// An array that a program reads.
struct TileInput {
  View view;
  Stored stored = Stored::kWord;
  friend bool operator==(const TileInput&, const TileInput&) = default;
};

/// Element-wise operations over arrays of `count` elements, computed tile by
/// tile. Registers hold one tile each; the first ones are the inputs.
struct TileProgram {
  std::vector<TileInput> inputs;
  std::vector<LaneOp> ops;  // the last one writes the result
  size_t registers = 0;
  // A register has lanes of 8 where any is wide, and of 1 or 2 where all inputs
  // and the result are so narrow and the operations are run_narrow_op's.
  size_t lane_bytes = 4;
  Stored result = Stored::kWord;  // as which it holds its type's numbers
  int64_t count = 0;
};

/// Most lanes of a tile.
inline constexpr int64_t kMostLanes = 2048;

/// Computes the result from the memory of the inputs. `to` may be the memory
/// of a contiguous input of the result's width.
void run_tiles(const TileProgram& program,
               std::span<const std::byte* const> inputs, std::byte* to);

/// Only elements first ... last - 1 of the result, by this thread.
void run_tiles(const TileProgram& program,
               std::span<const std::byte* const> inputs, std::byte* to,
               int64_t first, int64_t last);

/// Writes the view's elements to `to`, row-major.
void copy_view(const View& view, size_t width, const std::byte* from,
               std::byte* to);

/// Writes the view's elements, row-major, in runs of so many, which begin
/// `step` bytes one after the other.
void copy_runs(const View& view, size_t width, const std::byte* from,
               int64_t run, std::byte* to, int64_t step);

}  // namespace hlo::cpu
