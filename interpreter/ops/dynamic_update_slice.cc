// spec/ops/dynamic_update_slice.md
#include "interpreter/error.h"
#include "interpreter/plans/movement/dynamic_index.h"
#include "interpreter/plans/movement/movement.h"

namespace hlo {
namespace {

Shape infer(const Instruction& dus) {
  const Shape& operand = dus.operand_shape(0);
  const Shape& update = dus.operand_shape(1);
  require(operand.is_array() && update.element_type == operand.element_type,
          "dynamic-update-slice.C1",
          {"the operand is ", operand, " and the update ", update},
          "both must be arrays of one element type");
  require(update.rank() == operand.rank(), "dynamic-update-slice.C2",
          {"the operand is ", operand, " and the update ", update},
          "they must have as many dimensions");
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    require(operand.dims[d] == kUnbounded || update.dims[d] <= operand.dims[d],
            "dynamic-update-slice.C3",
            {"dimension ", d, " of the update is ", update.dims[d],
             " and of the operand ", operand.dims[d]},
            "the update must not be larger");
  }
  check_starts(dus, 2, operand.rank(), "dynamic-update-slice.C4");
  return operand;
}

Movement movement(const Instruction& dus, Operands operands) {
  const Ints& dims = dus.shape.dims;
  const Ints& sizes = dus.operand_shape(1).dims;
  Movement movement{.fill_operand = 0};
  movement.blocks.push_back(
      {1, 0, start_position(operands, 2, dims, sizes),
       make_axes(sizes, row_major_strides(sizes), row_major_strides(dims))});
  return movement;
}

}  // namespace

extern constinit const Op op_dynamic_update_slice{
    .name = "dynamic-update-slice",
    .min_operands = 2,
    .max_operands = -1,
    .infer = infer,
    .movement = movement,
    .accuracy = {.moves_data = true}};

}  // namespace hlo
