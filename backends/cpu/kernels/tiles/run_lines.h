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

/// An array of lines in memory, or one that only the steps themselves read: of
/// that a thread has no more than the lines that it is at.
template <typename Byte>
struct LineArray {
  Byte* memory = nullptr;
  int64_t inner = -1;  // which one of them it is

  bool exists() const { return memory != nullptr || inner >= 0; }
};

/// A program, whose lines may be folded while they are in the cache, or a fold
/// of lines that are there.
struct LineStep {
  const TileProgram* program = nullptr;  // none: folds the lines of `from`
  std::vector<LineArray<const std::byte>> inputs;  // of the program
  LineArray<std::byte> to;                         // none: only folded
  LineArray<const std::byte> from;                 // without a program
  std::optional<LineFold> fold;
  float* folds = nullptr;  // a number for each line
  bool streams = false;    // writes past the caches what nothing here reads
};

/// What only the steps read. One that is written over another has its place.
struct InnerLine {
  int64_t place = 0;
  int64_t bytes = 0;  // of a line
};

/// Computes so many lines of each step's arrays: all steps of as many lines as
/// stay in the cache, one step after the other, then of the next ones. A step
/// may read of the others' arrays what belongs to its own line.
void run_lines(std::span<const LineStep> steps,
               std::span<const InnerLine> inner, int64_t lines);
/// Only lines first ... last - 1 of so many.
void run_lines(std::span<const LineStep> steps,
               std::span<const InnerLine> inner, int64_t lines, int64_t first,
               int64_t last);

}  // namespace hlo::cpu
