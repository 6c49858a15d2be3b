#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/cpu/kernels/lanes/lane_op.h"
#include "backends/cpu/kernels/scratch.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// A region of scalars as operations on lanes of 32 bits: what it computes of
/// many arguments at a time. Its values are f32, s32 or pred (0 or 1).
struct LaneRegion {
  size_t parameters = 0;                                 // the first registers
  std::vector<std::pair<uint16_t, uint32_t>> constants;  // registers and bits
  std::vector<LaneOp> ops;
  std::vector<uint16_t> results;  // registers
  size_t registers = 0;
};

/// nullopt where a type or an operation is another one.
std::optional<LaneRegion> lane_region(const Computation& region);

/// Bytes of an element that lanes hold: 4, or 1 of pred; 0 of other types.
size_t lane_width(ElementType type);

/// A region and its registers, for one thread.
class LaneRun {
 public:
  LaneRun(const LaneRegion& region, size_t lanes);

  size_t lanes() const { return lanes_; }

  uint32_t* parameter(size_t i) const { return places_[i]; }

  const uint32_t* result(size_t i) const { return places_[region_.results[i]]; }

  /// Computes the results' first n lanes from those of the parameters.
  void run(size_t n) const;

 private:
  const LaneRegion& region_;
  size_t lanes_;  // a multiple of whole vectors
  AlignedBytes memory_;
  std::vector<uint32_t*> places_;
  std::vector<Register> registers_;
};

}  // namespace hlo::cpu
