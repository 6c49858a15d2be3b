#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

Movement movement(const Instruction& concatenate, Operands) {
  const auto d = static_cast<size_t>(concatenate.get<Ints>("dimensions")[0]);
  const Ints result_strides = row_major_strides(concatenate.shape.dims);
  Movement movement;
  int64_t offset = 0;
  for (size_t i = 0; i < concatenate.operands.size(); ++i) {
    const Ints& dims = concatenate.operand_shape(i).dims;
    movement.blocks.push_back(
        {static_cast<int64_t>(i), 0, offset,
         make_axes(dims, row_major_strides(dims), result_strides)});
    offset += dims[d] * result_strides[d];
  }
  return movement;
}

}  // namespace

extern constinit const Plan plan_concatenate{.movement = movement};

}  // namespace hlo
