#pragma once

#include <vector>

#include "backends/tpu/machine/lane_gather.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {

/// Where the elements of a result come from whose operation says that its
/// source is affine (Op::moving): element i of the result is the one of operand
/// 0 at a position that is a first one and the sum of a stride for each
/// dimension.
class AffineSource {
 public:
  /// The result must have elements.
  AffineSource(const Instruction& instruction, Operands operands);

  /// The positions that elements of the result come from; padding stays.
  LaneElements sources_of(const LaneElements& elements) const;

 private:
  const std::vector<int64_t>& dims_;
  std::vector<int64_t> strides_;
  int64_t first_;
};

}  // namespace hlo::tpu
