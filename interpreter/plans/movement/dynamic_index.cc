#include "interpreter/plans/movement/dynamic_index.h"

#include "interpreter/error.h"
#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/start_indices.h"

namespace hlo {
namespace {

bool is_vector(const Instruction& instruction, size_t first, int64_t rank) {
  return instruction.operands.size() == first + 1 &&
         instruction.operand_shape(first).is_array() &&
         instruction.operand_shape(first).dims == Index{rank};
}

bool are_scalars(const Instruction& instruction, size_t first, int64_t rank) {
  if (instruction.operands.size() != first + static_cast<size_t>(rank)) {
    return false;
  }
  for (size_t i = first; i < instruction.operands.size(); ++i) {
    const Shape& index = instruction.operand_shape(i);
    if (!index.is_scalar() ||
        index.element_type != instruction.operand_shape(first).element_type) {
      return false;
    }
  }
  return true;
}

}  // namespace

void check_starts(const Instruction& instruction, size_t first, int64_t rank,
                  std::string_view rule) {
  const bool has_starts = instruction.operands.size() > first;
  require(
      (is_vector(instruction, first, rank) ||
       are_scalars(instruction, first, rank)) &&
          (!has_starts ||
           is_integer(instruction.operand_shape(first).element_type)),
      rule,
      {"the operands are ", OperandShapes{instruction}, " and the array has ",
       Count{rank, "dimension"}},
      "there must be one start index of one integer type for each dimension");
}

int64_t start_position(Operands operands, size_t first, const Index& dims,
                       const Index& sizes) {
  const bool one_vector =
      operands.size() == first + 1 && operands[first].shape().rank() == 1;
  const Index strides = row_major_strides(dims);
  int64_t position = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    const Literal& starts = operands[one_vector ? first : first + d];
    position += strides[d] *
                clamped_start(starts, one_vector ? static_cast<int64_t>(d) : 0,
                              dims[d], sizes[d]);
  }
  return position;
}

}  // namespace hlo
