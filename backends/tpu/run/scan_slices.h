#pragma once

#include <optional>
#include <vector>

#include "backends/tpu/machine/lane_scatter.h"
#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// A scan that is being run: its body takes slices of the inputs, gathered from
/// their tiles, and what it gives is scattered into those of the outputs.
/// Between two calls nothing of it lies in the scratch memory.
class Scan {
 public:
  /// The operands outlive it.
  Scan(Machine& machine, const Instruction& scan, Values operands);

  /// What the body takes in the next step; nothing where all are done.
  std::optional<std::vector<Value>> next();
  /// What it gave in that step.
  void take(const Value& returned);
  /// The scan's value, when all steps are done.
  Value result();

 private:
  int64_t steps_of_inputs() const;
  int64_t place() const;
  void clear_from(int64_t first, size_t k);
  std::vector<int64_t> sizes_of_output(size_t k) const;
  void remember_sizes(size_t k, const TiledArray& slice);
  std::vector<Value> slices_at(int64_t place);

  Machine& machine_;
  const Instruction& scan_;
  Values operands_;
  const Computation& body_;
  size_t dimension_;
  size_t inputs_;
  int64_t steps_;
  int64_t step_ = 0;  // the next one
  size_t outputs_ = 0;
  std::vector<Value> results_;                     // outputs, then carries
  std::vector<std::vector<int64_t>> slice_sizes_;  // of outputs
  std::vector<LaneScatter> scatters_;
};

}  // namespace hlo::tpu
