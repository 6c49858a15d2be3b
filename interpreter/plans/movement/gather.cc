#include <algorithm>

#include "interpreter/model/array_memory.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/dimensions/gather_numbers.h"
#include "interpreter/rules/dimensions/start_indices.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

// What steps along the batch dimensions of the result go through.
constexpr size_t kResult = 0;
constexpr size_t kIndices = 1;
constexpr size_t kOperand = 2;  // in its batching dimensions

using Batch = StridedLoop<3>;

Batch batch_of(const Instruction& gather, const GatherNumbers& n) {
  const Shape& indices = gather.operand_shape(1);
  const Ints result_strides = row_major_strides(gather.shape.dims);
  const Ints index_strides = row_major_strides(indices.dims);
  const Ints operand_strides = row_major_strides(gather.operand_shape(0).dims);
  Batch batch;
  for (size_t i = 0; i < n.batch_dims.size(); ++i) {
    const auto d = static_cast<size_t>(n.index_dims[i]);
    Batch::Offsets strides = {
        result_strides[static_cast<size_t>(n.batch_dims[i])], index_strides[d],
        0};
    const auto found = std::ranges::find(n.indices_batching, n.index_dims[i]);
    if (found != n.indices_batching.end()) {
      const auto b = static_cast<size_t>(found - n.indices_batching.begin());
      strides[kOperand] =
          operand_strides[static_cast<size_t>(n.operand_batching[b])];
    }
    batch.add_axis(indices.dims[d], strides);
  }
  return batch;
}

/// One entry of an index vector: where it lies in the vector, the largest start
/// that keeps the slice inside, and how far one step moves.
struct Entry {
  int64_t offset;
  int64_t limit;
  int64_t stride;
};

std::vector<Entry> vector_entries(const Instruction& gather,
                                  const GatherNumbers& n) {
  const Ints& dims = gather.operand_shape(0).dims;
  const Ints strides = row_major_strides(dims);
  const Ints& index_dims = gather.operand_shape(1).dims;
  const auto v = static_cast<size_t>(n.index_vector_dim);
  const int64_t stride =
      v == index_dims.size() ? 0 : row_major_strides(index_dims)[v];
  std::vector<Entry> entries;
  for (size_t k = 0; k < n.start_index_map.size(); ++k) {
    const auto d = static_cast<size_t>(n.start_index_map[k]);
    // The position in the batch says it all.
    if (std::ranges::count(n.operand_batching, n.start_index_map[k]) > 0) {
      continue;
    }
    entries.push_back({static_cast<int64_t>(k) * stride,
                       dims[d] - n.slice_sizes[d], strides[d]});
  }
  return entries;
}

Block slice_block(const Instruction& gather, const GatherNumbers& n) {
  const Ints source_strides = row_major_strides(gather.operand_shape(0).dims);
  const Ints result_strides = row_major_strides(gather.shape.dims);
  Block block;
  for (const Ints* dims : {&n.collapsed, &n.operand_batching}) {
    for (const int64_t d : *dims) {
      block.axes.push_back({n.slice_sizes[static_cast<size_t>(d)], 0, 0});
    }
  }
  for (size_t i = 0; i < n.window.size(); ++i) {
    const auto d = static_cast<size_t>(n.window[i]);
    block.axes.push_back(
        {n.slice_sizes[d], source_strides[d],
         result_strides[static_cast<size_t>(n.offset_dims[i])]});
  }
  return block;
}

Movement movement(const Instruction& gather, Operands operands) {
  const GatherNumbers n = gather_numbers(gather);
  const std::vector<Entry> entries = vector_entries(gather, n);
  const Batch batch = batch_of(gather, n);
  constexpr int64_t kOfStart = sizeof(int64_t);
  constexpr int64_t kOfSlice = sizeof(BlockOffsets);
  const ScratchMemory scratch(operands[1].element_count() * kOfStart +
                              batch.count() * kOfSlice);
  const std::vector<int64_t> starts = integers(operands[1]);
  Movement movement;
  movement.blocks.push_back(slice_block(gather, n));
  movement.repeats.resize(static_cast<size_t>(batch.count()));
  BlockOffsets* next = movement.repeats.data();
  batch.for_each([&](const Batch::Offsets& at) {
    BlockOffsets& place = *next++;
    place = {at[kOperand], at[kResult]};
    for (const Entry& entry : entries) {
      const int64_t start =
          starts[static_cast<size_t>(at[kIndices] + entry.offset)];
      place.source_offset +=
          entry.stride * std::clamp<int64_t>(start, 0, entry.limit);
    }
  });
  if (movement.repeats.empty()) movement.blocks.clear();
  return movement;
}

}  // namespace

extern constinit const Plan plan_gather{.movement = movement};

}  // namespace hlo
