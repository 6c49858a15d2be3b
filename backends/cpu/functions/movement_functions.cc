#include "backends/cpu/functions/movement_functions.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "backends/cpu/functions/sequences/iota_numbers.h"
#include "backends/cpu/kernels/moves/pad_array.h"
#include "backends/cpu/kernels/with_width.h"

namespace hlo::cpu {
namespace {

/// Calls visit(a, b) for every index of `dims`, row-major, where a and b move
/// from their bases by the strides of each dimension.
template <typename Visit>
void walk(const std::vector<int64_t>& dims, int64_t a,
          const std::vector<int64_t>& a_strides, int64_t b,
          const std::vector<int64_t>& b_strides, Visit visit) {
  if (Shape::array(ElementType::kPred, dims).element_count() == 0) return;
  const size_t rank = dims.size();
  std::vector<int64_t> index(rank, 0);
  while (true) {
    visit(a, b);
    size_t d = rank;
    while (d > 0 && index[d - 1] == dims[d - 1] - 1) {
      --d;
      a -= a_strides[d] * index[d];
      b -= b_strides[d] * index[d];
      index[d] = 0;
    }
    if (d == 0) return;
    ++index[d - 1];
    a += a_strides[d - 1];
    b += b_strides[d - 1];
  }
}

/// Copies elements between arrays of one type along two walks over `dims`.
void copy_box(const Array& source, int64_t source_base,
              const std::vector<int64_t>& source_strides, Array& target,
              int64_t target_base, const std::vector<int64_t>& target_strides,
              const std::vector<int64_t>& dims) {
  const size_t width = target.width();
  walk(dims, source_base, source_strides, target_base, target_strides,
       [&](int64_t from, int64_t to) {
         std::memcpy(target.bytes.data() + static_cast<size_t>(to) * width,
                     source.bytes.data() + static_cast<size_t>(from) * width,
                     width);
       });
}

std::vector<int64_t> strides(const Array& array) {
  return row_major_strides(array.shape.dims);
}

Array view(const Instruction& instruction, const Array& source, int64_t base,
           const std::vector<int64_t>& source_strides) {
  Array result(instruction.shape);
  copy_box(source, base, source_strides, result, 0, strides(result),
           result.shape.dims);
  return result;
}

Array broadcast(const Instruction& instruction, Operands operands) {
  const Ints places = instruction.get_or<Ints>("dimensions", {});
  const std::vector<int64_t> own = strides(*operands[0]);
  std::vector<int64_t> moved(instruction.shape.dims.size(), 0);
  for (size_t d = 0; d < places.size(); ++d) {
    moved[static_cast<size_t>(places[d])] = own[d];
  }
  return view(instruction, *operands[0], 0, moved);
}

Array reshape(const Instruction& instruction, Operands operands) {
  Array result = *operands[0];
  result.shape = instruction.shape;
  return result;
}

Array transpose(const Instruction& instruction, Operands operands) {
  const Ints permutation = instruction.get_or<Ints>("dimensions", {});
  const std::vector<int64_t> own = strides(*operands[0]);
  std::vector<int64_t> moved;
  for (const int64_t d : permutation) {
    moved.push_back(own[static_cast<size_t>(d)]);
  }
  return view(instruction, *operands[0], 0, moved);
}

Array slice(const Instruction& instruction, Operands operands) {
  std::vector<int64_t> moved = strides(*operands[0]);
  int64_t base = 0;
  const auto& ranges = instruction.get<SliceConfig>("slice").dims;
  for (size_t d = 0; d < ranges.size(); ++d) {
    base += ranges[d].start * moved[d];
    // A step that is never taken may be too large to multiply.
    if (instruction.shape.dims[d] > 1) moved[d] *= ranges[d].stride;
  }
  return view(instruction, *operands[0], base, moved);
}

Array reverse(const Instruction& instruction, Operands operands) {
  std::vector<int64_t> moved = strides(*operands[0]);
  int64_t base = 0;
  for (const int64_t dimension : instruction.get<Ints>("dimensions")) {
    const auto d = static_cast<size_t>(dimension);
    base += moved[d] * (operands[0]->shape.dims[d] - 1);
    moved[d] = -moved[d];
  }
  return view(instruction, *operands[0], base, moved);
}

/// The array that repeats one element.
Array repeated(const Shape& shape, const Array& element) {
  Array result(shape);
  copy_box(element, 0, std::vector<int64_t>(shape.dims.size(), 0), result, 0,
           strides(result), shape.dims);
  return result;
}

Array pad(const Instruction& instruction, Operands operands) {
  Array result = repeated(instruction.shape, *operands[1]);
  const auto& padding = instruction.get<PaddingConfig>("padding").dims;
  const std::vector<int64_t> own = strides(*operands[0]);
  std::vector<int64_t> moved = strides(result);
  std::vector<int64_t> box;
  int64_t from = 0;
  int64_t to = 0;
  for (size_t d = 0; d < padding.size(); ++d) {
    // No two elements have the largest padding between them.
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    const int64_t step = std::min(padding[d].interior, kMost - 1) + 1;
    const PlacedElements placed =
        placed_elements({operands[0]->shape.dims[d], result.shape.dims[d],
                         padding[d].low, step});
    box.push_back(placed.count);
    from += placed.first * own[d];
    to += placed.place * moved[d];
    if (box[d] > 1) moved[d] *= step;
  }
  copy_box(*operands[0], from, own, result, to, moved, box);
  return result;
}

Array concatenate(const Instruction& instruction, Operands operands) {
  Array result(instruction.shape);
  const auto d = static_cast<size_t>(instruction.get<Ints>("dimensions").at(0));
  const std::vector<int64_t> target = strides(result);
  int64_t place = 0;
  for (const Array* operand : operands) {
    copy_box(*operand, 0, strides(*operand), result, place * target[d], target,
             operand->shape.dims);
    place += operand->shape.dims[d];
  }
  return result;
}

/// The base of a window of `sizes` whose starts are operands[first...].
int64_t clamped_base(const Array& array, const std::vector<int64_t>& sizes,
                     Operands starts) {
  const std::vector<int64_t> own = strides(array);
  int64_t base = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool one_vector = starts.size() == 1 && starts[0]->shape.rank() == 1;
    const int64_t start = one_vector
                              ? integer(*starts[0], static_cast<int64_t>(d))
                              : integer(*starts[d], 0);
    const int64_t room = array.shape.dims[d] - sizes[d];
    base += own[d] * std::min(std::max<int64_t>(start, 0), room);
  }
  return base;
}

Array dynamic_slice(const Instruction& instruction, Operands operands) {
  const Array& source = *operands[0];
  const int64_t base =
      clamped_base(source, instruction.shape.dims, operands.subspan(1));
  return view(instruction, source, base, strides(source));
}

Array dynamic_update_slice(const Instruction& instruction, Operands operands) {
  Array result = *operands[0];
  result.shape = instruction.shape;
  const Array& update = *operands[1];
  const int64_t base =
      clamped_base(result, update.shape.dims, operands.subspan(2));
  copy_box(update, 0, strides(update), result, base, strides(result),
           update.shape.dims);
  return result;
}

Array select(const Instruction& instruction, Operands operands) {
  const bool whole = operands[0]->shape.rank() == 0;
  Array result = *operands[2];
  result.shape = instruction.shape;
  const std::byte* const chosen = operands[0]->bytes.data();
  const std::byte* const from = operands[1]->bytes.data();
  std::byte* const to = result.bytes.data();
  const auto count = static_cast<size_t>(result.count());
  with_width(result.width(), [&](auto element) {
    for (size_t i = 0; i < count; ++i) {
      if (chosen[whole ? 0 : i] == std::byte{0}) continue;
      std::memcpy(to + i * sizeof(element), from + i * sizeof(element),
                  sizeof(element));
    }
  });
  return result;
}

Array iota(const Instruction& instruction, Operands) {
  return iota_numbers(
      instruction.shape,
      static_cast<size_t>(instruction.get<int64_t>("iota_dimension")));
}

}  // namespace

Functions movement_functions() {
  return {{"broadcast", broadcast},
          {"reshape", reshape},
          {"transpose", transpose},
          {"slice", slice},
          {"reverse", reverse},
          {"pad", pad},
          {"concatenate", concatenate},
          {"dynamic-slice", dynamic_slice},
          {"dynamic-update-slice", dynamic_update_slice},
          {"select", select},
          {"iota", iota}};
}

}  // namespace hlo::cpu
