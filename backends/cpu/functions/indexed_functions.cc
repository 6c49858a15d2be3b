#include "backends/cpu/functions/indexed_functions.h"

#include <algorithm>
#include <cstring>

namespace hlo::cpu {
namespace {

bool has(const Ints& list, int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

/// Dimension numbers of a gather.
struct Numbers {
  Ints offset, collapsed, start_map, sizes, batching, start_batching;
  int64_t vector = 0;

  explicit Numbers(const Instruction& gather)
      : offset(gather.get<Ints>("offset_dims")),
        collapsed(gather.get<Ints>("collapsed_slice_dims")),
        start_map(gather.get<Ints>("start_index_map")),
        sizes(gather.get<Ints>("slice_sizes")),
        batching(gather.get_or<Ints>("operand_batching_dims", {})),
        start_batching(gather.get_or<Ints>("start_indices_batching_dims", {})),
        vector(gather.get<int64_t>("index_vector_dim")) {}
};

/// Where the slice of a result index begins in the operand.
Index slice_start(const Numbers& numbers, const Array& operand,
                  const std::vector<int64_t>& starts, const Shape& indices,
                  const Index& batch) {
  Index at = batch;
  const bool implicit = numbers.vector == indices.rank();
  if (!implicit) at.insert(at.begin() + numbers.vector, 0);
  Index start(operand.shape.dims.size(), 0);
  for (size_t k = 0; k < numbers.start_map.size(); ++k) {
    if (!implicit)
      at[static_cast<size_t>(numbers.vector)] = static_cast<int64_t>(k);
    const auto d = static_cast<size_t>(numbers.start_map[k]);
    const int64_t wanted =
        starts[static_cast<size_t>(linearize(at, indices.dims))];
    const int64_t room = operand.shape.dims[d] - numbers.sizes[d];
    start[d] = std::min(std::max<int64_t>(wanted, 0), room);
  }
  for (size_t k = 0; k < numbers.batching.size(); ++k) {
    const int64_t b = numbers.start_batching[k];
    start[static_cast<size_t>(numbers.batching[k])] =
        batch[static_cast<size_t>(b > numbers.vector ? b - 1 : b)];
  }
  return start;
}

Array gather(const Instruction& instruction, Operands operands) {
  const Numbers numbers(instruction);
  const Array& operand = *operands[0];
  const std::vector<int64_t> starts = integers(*operands[1]);
  Array result(instruction.shape);
  // Slices without elements, along a dimension that the result does not have.
  if (has(numbers.sizes, 0)) return result;
  const size_t width = result.width();
  for (int64_t i = 0; i < result.count(); ++i) {
    const Index index = delinearize(i, result.shape.dims);
    Index batch;
    Index within;
    for (size_t d = 0; d < index.size(); ++d) {
      (has(numbers.offset, static_cast<int64_t>(d)) ? within : batch)
          .push_back(index[d]);
    }
    Index from =
        slice_start(numbers, operand, starts, operands[1]->shape, batch);
    size_t next = 0;
    for (size_t d = 0; d < from.size(); ++d) {
      const auto dimension = static_cast<int64_t>(d);
      if (has(numbers.collapsed, dimension)) continue;
      if (has(numbers.batching, dimension)) continue;
      from[d] += within[next++];
    }
    std::memcpy(
        result.bytes.data() + static_cast<size_t>(i) * width,
        operand.bytes.data() +
            static_cast<size_t>(linearize(from, operand.shape.dims)) * width,
        width);
  }
  return result;
}

}  // namespace

Functions indexed_functions() { return {{"gather", gather}}; }

}  // namespace hlo::cpu
