#include <algorithm>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/program/map_launch.h"

namespace hlo::gpu {
namespace {

Value moved(Memory& memory, const Instruction& instruction,
            const Value& operand, const Ints& strides, int64_t base) {
  const Value source =
      converted(memory, operand, instruction.shape.element_type);
  Value result = new_array(memory, instruction.shape);
  copy(memory, instruction.shape.dims, view_of(source, strides, base),
       view_of(result));
  return result;
}

Ints strides_of(const Value& array) {
  return row_major_strides(array.shape.dims);
}

Value broadcast(Memory& memory, const Instruction& instruction,
                const Values& operands) {
  const Ints places = instruction.get_or<Ints>("dimensions", {});
  const Ints own = strides_of(*operands[0]);
  Ints strides(instruction.shape.dims.size(), 0);
  for (size_t d = 0; d < places.size(); ++d) {
    strides[static_cast<size_t>(places[d])] = own[d];
  }
  return moved(memory, instruction, *operands[0], strides, 0);
}

Value reshape(Memory& memory, const Instruction& instruction,
              const Values& operands) {
  return with_shape(
      converted(memory, *operands[0], instruction.shape.element_type),
      instruction.shape);
}

Value transpose(Memory& memory, const Instruction& instruction,
                const Values& operands) {
  const Ints own = strides_of(*operands[0]);
  Ints strides;
  for (const int64_t d : instruction.get_or<Ints>("dimensions", {})) {
    strides.push_back(own[static_cast<size_t>(d)]);
  }
  return moved(memory, instruction, *operands[0], strides, 0);
}

Value slice(Memory& memory, const Instruction& instruction,
            const Values& operands) {
  Ints strides = strides_of(*operands[0]);
  int64_t base = 0;
  if (instruction.shape.element_count() == 0) {
    return new_array(memory, instruction.shape);
  }
  const auto& ranges = instruction.get<SliceConfig>("slice").dims;
  for (size_t d = 0; d < ranges.size(); ++d) {
    base += ranges[d].start * strides[d];
    // A step that is never taken may be too large to multiply.
    if (instruction.shape.dims[d] > 1) strides[d] *= ranges[d].stride;
  }
  return moved(memory, instruction, *operands[0], strides, base);
}

Value reverse(Memory& memory, const Instruction& instruction,
              const Values& operands) {
  Ints strides = strides_of(*operands[0]);
  int64_t base = 0;
  for (const int64_t dimension : instruction.get<Ints>("dimensions")) {
    const auto d = static_cast<size_t>(dimension);
    base += strides[d] * (instruction.shape.dims[d] - 1);
    strides[d] = -strides[d];
  }
  return moved(memory, instruction, *operands[0], strides, base);
}

/// A box of elements, and where it lies in the operand and in the result.
struct Box {
  Ints sizes;
  Ints from_strides;
  int64_t from = 0;
  Ints to_strides;
  int64_t to = 0;
};

/// The elements of pad's operand that stay inside of the result. Differences
/// and steps of 64 bits have more.
Box padded_box(const Instruction& instruction, const Value& operand) {
  __extension__ using Wide = __int128;
  const auto& padding = instruction.get<PaddingConfig>("padding").dims;
  Box box;
  box.from_strides = strides_of(operand);
  box.to_strides = row_major_strides(instruction.shape.dims);
  for (size_t d = 0; d < padding.size(); ++d) {
    const Wide low = padding[d].low;
    const Wide step = Wide{padding[d].interior} + 1;
    const Wide first = low < 0 ? (-low - 1) / step + 1 : 0;
    const Wide room = instruction.shape.dims[d] - 1 - low;
    const Wide last =
        room < 0 ? -1 : std::min<Wide>(room / step, operand.shape.dims[d] - 1);
    box.sizes.push_back(
        static_cast<int64_t>(std::max<Wide>(0, last - first + 1)));
    if (box.sizes[d] == 0) continue;
    box.from += static_cast<int64_t>(first) * box.from_strides[d];
    box.to += static_cast<int64_t>(low + first * step) * box.to_strides[d];
    if (box.sizes[d] > 1) box.to_strides[d] *= static_cast<int64_t>(step);
  }
  return box;
}

Value pad(Memory& memory, const Instruction& instruction,
          const Values& operands) {
  const ElementType type = instruction.shape.element_type;
  const Value source = converted(memory, *operands[0], type);
  const Value filling = converted(memory, *operands[1], type);
  Value result = new_array(memory, instruction.shape);
  const size_t rank = instruction.shape.dims.size();
  copy(memory, instruction.shape.dims, view_of(filling, Ints(rank, 0)),
       view_of(result));
  const Box box = padded_box(instruction, source);
  if (std::ranges::find(box.sizes, 0) == box.sizes.end()) {
    copy(memory, box.sizes, view_of(source, box.from_strides, box.from),
         view_of(result, box.to_strides, box.to));
  }
  return result;
}

Value concatenate(Memory& memory, const Instruction& instruction,
                  const Values& operands) {
  Value result = new_array(memory, instruction.shape);
  const auto d = static_cast<size_t>(instruction.get<Ints>("dimensions").at(0));
  const Ints target = strides_of(result);
  int64_t place = 0;
  for (const Value* operand : operands) {
    const Value source =
        converted(memory, *operand, instruction.shape.element_type);
    copy(memory, source.shape.dims, view_of(source),
         view_of(result, target, place * target[d]));
    place += source.shape.dims[d];
  }
  return result;
}

/// The base of a window of `sizes` in an array; its starts are the operands
/// from `first` on. They are read by the host.
int64_t clamped_base(Memory& memory, const Value& array, const Ints& sizes,
                     const Values& operands, size_t first) {
  const Ints strides = strides_of(array);
  const bool one_vector =
      operands.size() == first + 1 && operands[first]->shape.rank() == 1;
  int64_t base = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t start =
        one_vector
            ? integer_at(memory, *operands[first], static_cast<int64_t>(d))
            : integer_at(memory, *operands[first + d], 0);
    const int64_t room = array.shape.dims[d] - sizes[d];
    base += strides[d] * std::min(std::max<int64_t>(start, 0), room);
  }
  return base;
}

Value dynamic_slice(Memory& memory, const Instruction& instruction,
                    const Values& operands) {
  if (instruction.shape.element_count() == 0) {
    return new_array(memory, instruction.shape);
  }
  const int64_t base =
      clamped_base(memory, *operands[0], instruction.shape.dims, operands, 1);
  return moved(memory, instruction, *operands[0], strides_of(*operands[0]),
               base);
}

Value dynamic_update_slice(Memory& memory, const Instruction& instruction,
                           const Values& operands) {
  const ElementType type = instruction.shape.element_type;
  const Value update = converted(memory, *operands[1], type);
  Value result =
      moved(memory, instruction, *operands[0], strides_of(*operands[0]), 0);
  if (update.shape.element_count() == 0) return result;
  const int64_t base =
      clamped_base(memory, result, update.shape.dims, operands, 2);
  copy(memory, update.shape.dims, view_of(update),
       view_of(result, strides_of(result), base));
  return result;
}

/// As bitcast-convert counts them.
int64_t width_of(ElementType type) {
  return type == ElementType::kPred ? 8 : bits(type);
}

/// Elements of fewer bits from parts of elements of more.
Value split_bits(Memory& memory, const Instruction& instruction,
                 const Value& operand) {
  const ElementType from = operand.shape.element_type;
  const ElementType to = instruction.shape.element_type;
  const int64_t parts = width_of(from) / width_of(to);
  Value result = new_array(memory, instruction.shape);
  Ints strides = strides_of(operand);
  for (int64_t& stride : strides) stride *= parts;
  for (int64_t k = 0; k < parts; ++k) {
    TapeWriter writer(1);
    const int64_t reg = writer.part(0, from, to, k * width_of(to));
    launch(memory, {operand.shape.dims,
                    {view_of(operand)},
                    {{view_of(result, strides, k), reg}},
                    writer.tape()});
  }
  return result;
}

/// Elements of more bits from several of fewer.
Value join_bits(Memory& memory, const Instruction& instruction,
                const Value& operand) {
  const ElementType from = operand.shape.element_type;
  const ElementType to = instruction.shape.element_type;
  const int64_t parts = width_of(to) / width_of(from);
  Value result = new_array(memory, instruction.shape);
  Ints strides = strides_of(result);
  for (int64_t& stride : strides) stride *= parts;
  for (int64_t k = 0; k < parts; ++k) {
    TapeWriter writer(2);
    const int64_t reg = k == 0
                            ? writer.part(0, from, to, 0)
                            : writer.join(1, to, 0, from, k * width_of(from));
    launch(memory, {result.shape.dims,
                    {view_of(operand, strides, k), view_of(result)},
                    {{view_of(result), reg}},
                    writer.tape()});
  }
  return result;
}

Value bitcast_convert(Memory& memory, const Instruction& instruction,
                      const Values& operands) {
  const ElementType from = operands[0]->shape.element_type;
  const ElementType to = instruction.shape.element_type;
  const auto is_whole = [](ElementType type) {
    return type != ElementType::kPred && bits(type) >= 8;
  };
  if (from == to || (is_whole(from) && is_whole(to))) {
    return with_shape(*operands[0], instruction.shape);
  }
  return width_of(from) >= width_of(to)
             ? split_bits(memory, instruction, *operands[0])
             : join_bits(memory, instruction, *operands[0]);
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
          {"bitcast", reshape},
          {"bitcast-convert", bitcast_convert}};
}

}  // namespace hlo::gpu
