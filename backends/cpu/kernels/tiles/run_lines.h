#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/cpu/kernels/fold.h"
#include "backends/cpu/kernels/tiles/tile_program.h"

namespace hlo::cpu {

/// Lines of so many numbers, each folded to one.
struct LineFold {
  Fold fold = Fold::kAdd;
  int64_t folded = 1;
  float init = 0;
};

/// What computes arrays line by line: a program, whose lines may be folded
/// while they are in the cache, or a fold of lines that are there.
struct LineStep {
  const TileProgram* program = nullptr;  // none: folds what lies at `from`
  std::vector<const std::byte*> inputs;  // of the program
  std::byte* to = nullptr;      // the program's result; null: only folded
  const float* from = nullptr;  // without a program
  std::optional<LineFold> fold;
  float* folds = nullptr;  // a number for each line
};

/// Computes so many lines of each step's arrays: all steps of as many lines as
/// stay in the cache, one step after the other, then of the next ones. A step
/// may read of the others' arrays what belongs to its own line.
void run_lines(std::span<const LineStep> steps, int64_t lines);
/// Only lines first ... last - 1 of so many.
void run_lines(std::span<const LineStep> steps, int64_t lines, int64_t first,
               int64_t last);

}  // namespace hlo::cpu
