#pragma once

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/machine/lane_scatter.h"
#include "backends/tpu/memory/scratch_room.h"
#include "interpreter/model/literal.h"

namespace hlo::tpu {

/// A part of an array: as many elements along each dimension, from an index on.
struct ArrayPart {
  Ints sizes;
  Index first;
};

/// The row-major positions in an array of the elements of a part, in order.
class PartPositions {
 public:
  PartPositions(const Ints& dims, const ArrayPart& part);

  /// The next positions, as many as a register has lanes or are left. How many.
  int64_t next(LaneElements& positions);

 private:
  void step();

  Ints sizes_;
  Ints strides_;
  Index index_;
  int64_t position_ = 0;
  int64_t left_ = 1;
};

/// The part's elements, dense, as the reference's loops take them.
Literal staged(Machine& machine, const TiledArray& array, LaneGather& gather,
               const ArrayPart& part);
/// Takes the part's elements to their tiles.
void unstage(Machine& machine, const Literal& from, const TiledArray& array,
             LaneScatter& scatter, const ArrayPart& part);

}  // namespace hlo::tpu
