#pragma once

#include <optional>
#include <vector>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/operations/contraction/scheme.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// Brings elements of one operand of a contraction to lanes and takes them
/// apart to the planes that the matrix unit multiplies.
class FactorReader {
 public:
  /// Keeps at most that many registers of each array.
  FactorReader(Machine& machine, const Instruction& instruction, size_t operand,
               const Values& operands, const Scheme& scheme, int64_t kept);

  /// The planes of those elements; lanes without one are not valid.
  std::vector<Register> read(const LaneElements& elements);

 private:
  Register gathered(LaneGather& gather, ElementType type,
                    const LaneElements& elements) const;
  Register converted(Register from, ElementType to) const;
  void multiply_by_scales(const LaneElements& elements, Register& numbers);
  std::vector<Register> components(Register elements) const;
  void append_pieces(Register numbers, std::vector<Register>& planes) const;

  Machine& machine_;
  const Scheme& scheme_;
  const Planes& planes_;
  const TiledArray& array_;
  LaneGather gather_;
  const TiledArray* scales_ = nullptr;
  std::optional<LaneGather> gather_scales_;
};

}  // namespace hlo::tpu
