#include "interpreter/rules/dimensions/start_indices.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "interpreter/error.h"

namespace hlo {
namespace {

template <typename T>
void widen(const std::byte* bytes, std::vector<int64_t>& numbers) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  const T* values = reinterpret_cast<const T*>(bytes);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if constexpr (std::is_same_v<T, uint64_t>) {
      numbers[i] = static_cast<int64_t>(std::min(values[i], kMax));
    } else {
      numbers[i] = int64_t{values[i]};
    }
  }
}

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

std::vector<int64_t> integers(const Literal& literal) {
  std::vector<int64_t> numbers(static_cast<size_t>(literal.element_count()));
  const std::byte* bytes = literal.bytes().data();
  const bool sign = is_signed(literal.type());
  switch (storage_bytes(literal.type())) {
    case 1:
      sign ? widen<int8_t>(bytes, numbers) : widen<uint8_t>(bytes, numbers);
      break;
    case 2:
      sign ? widen<int16_t>(bytes, numbers) : widen<uint16_t>(bytes, numbers);
      break;
    case 4:
      sign ? widen<int32_t>(bytes, numbers) : widen<uint32_t>(bytes, numbers);
      break;
    default:
      sign ? widen<int64_t>(bytes, numbers) : widen<uint64_t>(bytes, numbers);
  }
  return numbers;
}

int64_t clamped_start(const Literal& starts, int64_t position,
                      int64_t dimension_size, int64_t size) {
  return std::clamp<int64_t>(starts.integer(position), 0,
                             dimension_size - size);
}

void check_starts(const Instruction& instruction, size_t first, int64_t rank,
                  std::string_view rule) {
  const bool has_starts = instruction.operands.size() > first;
  require((is_vector(instruction, first, rank) ||
           are_scalars(instruction, first, rank)) &&
              (!has_starts ||
               is_integer(instruction.operand_shape(first).element_type)),
          rule,
          {"the operands are ", OperandShapes{instruction},
           " and the array has ", Count{rank, "dimension"}},
          "there must be one start index of one integer type for each "
          "dimension");
}

Index clamped_starts(Operands operands, size_t first, const Index& dims,
                     const Index& sizes) {
  const bool one_vector =
      operands.size() == first + 1 && operands[first].shape().rank() == 1;
  Index starts;
  for (size_t d = 0; d < dims.size(); ++d) {
    const Literal& operand = operands[one_vector ? first : first + d];
    starts.push_back(clamped_start(
        operand, one_vector ? static_cast<int64_t>(d) : 0, dims[d], sizes[d]));
  }
  return starts;
}

}  // namespace hlo
