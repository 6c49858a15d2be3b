#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/dimensions/start_indices.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

Movement movement(const Instruction& dus, Operands operands) {
  const Ints& dims = dus.shape.dims;
  const Ints& sizes = dus.operand_shape(1).dims;
  Movement movement{.fill_operand = 0};
  movement.blocks.push_back(
      {1, 0, linearize(clamped_starts(operands, 2, dims, sizes), dims),
       make_axes(sizes, row_major_strides(sizes), row_major_strides(dims))});
  return movement;
}

}  // namespace

extern constinit const Plan plan_dynamic_update_slice{.movement = movement};

}  // namespace hlo
