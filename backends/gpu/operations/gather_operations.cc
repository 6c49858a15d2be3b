#include <algorithm>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/take.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"
#include "interpreter/rules/dimensions/gather_numbers.h"

namespace hlo::gpu {

Value launch(Memory& memory, const Take& take, const Shape& shape) {
  Value result = new_array(memory, shape);
  const int64_t count = shape.element_count();
  if (count == 0) return result;
  if (shape.rank() > kMaxRank) {
    throw Unsupported("does not run arrays of more than 16 dimensions");
  }
  Ints words = {count,
                shape.rank(),
                std::ssize(take.indices),
                type_code(shape.element_type),
                take.operand->offset(),
                result.offset()};
  append(words, shape.dims);
  append(words, take.strides);
  for (const TakeIndex& index : take.indices) {
    append(words, {index.indices->offset(),
                   type_code(index.indices->shape.element_type), index.base,
                   index.largest, index.stride});
    append(words, index.strides);
  }
  memory.device().run(Kernel::kTake, words, count);
  return result;
}

namespace {

bool contains(const Ints& list, int64_t d) {
  return std::ranges::find(list, d) != list.end();
}

size_t place(int64_t d) { return static_cast<size_t>(d); }

/// The strides of the operand along the result: of windows, and of batching
/// dimensions.
Ints operand_strides(const Instruction& gather, const GatherNumbers& n) {
  const Ints own = row_major_strides(gather.operand_shape(0).dims);
  Ints strides(gather.shape.dims.size(), 0);
  for (size_t i = 0; i < n.window.size(); ++i) {
    strides[place(n.offset_dims[i])] = own[place(n.window[i])];
  }
  for (size_t k = 0; k < n.operand_batching.size(); ++k) {
    const auto at = std::ranges::find(n.index_dims, n.indices_batching[k]);
    const int64_t d = n.batch_dims[static_cast<size_t>(
        std::distance(n.index_dims.begin(), at))];
    strides[place(d)] = own[place(n.operand_batching[k])];
  }
  return strides;
}

Value gather(Memory& memory, const Instruction& instruction,
             const Values& operands) {
  const GatherNumbers n = gather_numbers(instruction);
  const Shape& operand = operands[0]->shape;
  const Shape& indices = operands[1]->shape;
  if (operand.element_count() == 0) {
    return upload(memory, Literal(instruction.shape));
  }
  for (const Ints* dims : {&n.collapsed, &n.operand_batching}) {
    for (const int64_t d : *dims) {
      if (n.slice_sizes[place(d)] == 0) {
        return upload(memory, Literal(instruction.shape));
      }
    }
  }
  const Ints own = row_major_strides(operand.dims);
  const Ints steps = row_major_strides(indices.dims);
  Take take{operands[0], operand_strides(instruction, n), {}};
  for (size_t k = 0; k < n.start_index_map.size(); ++k) {
    const int64_t d = n.start_index_map[k];
    if (contains(n.operand_batching, d)) continue;
    TakeIndex index{operands[1], 0,
                    operand.dims[place(d)] - n.slice_sizes[place(d)],
                    own[place(d)], Ints(instruction.shape.dims.size(), 0)};
    if (n.index_vector_dim < indices.rank()) {
      index.base = static_cast<int64_t>(k) * steps[place(n.index_vector_dim)];
    }
    for (size_t i = 0; i < n.batch_dims.size(); ++i) {
      index.strides[place(n.batch_dims[i])] = steps[place(n.index_dims[i])];
    }
    take.indices.push_back(std::move(index));
  }
  Shape shape = instruction.shape;
  shape.element_type = operand.element_type;
  return with_shape(converted(memory, launch(memory, take, shape),
                              instruction.shape.element_type),
                    instruction.shape);
}

}  // namespace

Functions gather_functions() { return {{"gather", gather}}; }

}  // namespace hlo::gpu
