#include "interpreter/plans/movement/affine_movement.h"

#include <stdexcept>
#include <string>

namespace hlo {
namespace {

/// The row-major position in operand 0 of the element at an index of the
/// result.
int64_t source_position(const Instruction& instruction, Operands operands,
                        const Index& result) {
  const Origin origin = instruction.op->source(instruction, operands, result);
  return linearize(origin.index, instruction.operand_shape(0).dims);
}

}  // namespace

Movement affine_movement(const Instruction& instruction, Operands operands) {
  const Ints& dims = instruction.shape.dims;
  Ints strides(dims.size(), 0);
  if (instruction.shape.element_count() == 0) {
    return move_strided(dims, 0, strides);
  }
  Index index(dims.size(), 0);
  const int64_t first = source_position(instruction, operands, index);
  int64_t last = first;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) continue;
    index[d] = 1;
    strides[d] = source_position(instruction, operands, index) - first;
    index[d] = 0;
    last += strides[d] * (dims[d] - 1);
  }
  for (size_t d = 0; d < dims.size(); ++d) index[d] = dims[d] - 1;
  if (source_position(instruction, operands, index) != last) {
    throw std::logic_error("the source of " +
                           std::string(instruction.op->name) +
                           " is said to be affine and is not");
  }
  return move_strided(dims, first, strides);
}

}  // namespace hlo
