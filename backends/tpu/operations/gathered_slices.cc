#include "backends/tpu/operations/gathered_slices.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/machine/scalar_read.h"
#include "backends/tpu/operations/fills/fill.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/rules/dimensions/gather_numbers.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 64;

int64_t at(const Ints& values, int64_t d) {
  return values[static_cast<size_t>(d)];
}

/// Where the elements of a gather's result come from.
class SliceOrigins {
 public:
  SliceOrigins(Machine& machine, const GatherNumbers& n, const Shape& result,
               const Value& operand, const TiledArray& indices)
      : machine_(machine), indices_(indices) {
    const Ints from = row_major_strides(operand.shape.dims);
    const Ints index = row_major_strides(indices.shape.dims);
    for (const int64_t size : result.dims) axes_.push_back({size, 0, 0});
    for (size_t i = 0; i < n.window.size(); ++i) {
      axis(n.offset_dims[i]).of_operand = at(from, n.window[i]);
    }
    for (size_t i = 0; i < n.batch_dims.size(); ++i) {
      axis(n.batch_dims[i]).of_indices = at(index, n.index_dims[i]);
    }
    for (size_t i = 0; i < n.operand_batching.size(); ++i) {
      const auto place =
          std::ranges::find(n.index_dims, n.indices_batching[i]) -
          n.index_dims.begin();
      axis(at(n.batch_dims, place)).of_operand =
          at(from, n.operand_batching[i]);
    }
    find_starts(n, operand.shape, index);
  }

  /// The row-major position in the operand of the element at one in the result.
  int64_t of(int64_t position) {
    int64_t origin = 0;
    int64_t index = 0;
    for (size_t d = axes_.size(); d-- > 0;) {
      const Axis& axis = axes_[d];
      const int64_t i = position % axis.size;
      position /= axis.size;
      origin += i * axis.of_operand;
      index += i * axis.of_indices;
    }
    const bool stays = index_ >= 0 && machine_.has(Fault::kFirstSliceForAll);
    if (index != index_ && !stays) begin_slice(index);
    return origin + begin_;
  }

 private:
  /// A dimension of the result: by how much a step along it moves.
  struct Axis {
    int64_t size;
    int64_t of_operand;
    int64_t of_indices;
  };

  /// A dimension of the operand where an index says how slices begin.
  struct Start {
    int64_t offset;  // of the index in its vector, in elements of the indices
    int64_t last;    // where a slice can begin
    int64_t stride;
  };

  Axis& axis(int64_t d) { return axes_[static_cast<size_t>(d)]; }

  void find_starts(const GatherNumbers& n, const Shape& operand,
                   const Ints& strides_of_indices) {
    const bool are_scalars = n.index_vector_dim == indices_.shape.rank();
    const int64_t step =
        are_scalars ? 0 : at(strides_of_indices, n.index_vector_dim);
    const Ints from = row_major_strides(operand.dims);
    for (size_t k = 0; k < n.start_index_map.size(); ++k) {
      const int64_t d = n.start_index_map[k];
      // The place among the batches says where these begin.
      if (std::ranges::count(n.operand_batching, d) > 0) continue;
      starts_.push_back({static_cast<int64_t>(k) * step,
                         at(operand.dims, d) - at(n.slice_sizes, d),
                         at(from, d)});
    }
  }

  void begin_slice(int64_t index) {
    index_ = index;
    begin_ = 0;
    for (const Start& start : starts_) {
      const int64_t given =
          integer_at(machine_, indices_, index + start.offset);
      begin_ += std::clamp<int64_t>(given, 0, start.last) * start.stride;
    }
  }

  Machine& machine_;
  const TiledArray& indices_;
  std::vector<Axis> axes_;
  std::vector<Start> starts_;
  int64_t index_ = -1;  // of the vector that says where the slice begins
  int64_t begin_ = 0;   // the slice's first element in the operand
};

}  // namespace

TiledArray gathered_slices(Machine& machine, const Instruction& gather,
                           const Values& operands, const Shape& shape) {
  const GatherNumbers n = gather_numbers(gather);
  // Slices without elements leave zeros.
  if (std::ranges::count(n.slice_sizes, 0) > 0) {
    return zeros(machine, shape).array;
  }
  SliceOrigins origins(machine, n, shape, *operands[0], operands[1]->array);
  LaneGather lanes(machine, operands[0]->array, kKeptRegisters);
  const ElementType type = operands[0]->shape.element_type;
  // Slots of the result's layout may be too narrow for the operand's type.
  const Shape of_operand =
      type == shape.element_type ? shape : Shape::array(type, shape.dims);
  const TiledArray array = filled(
      machine, of_operand, [&](const LaneElements& elements, Register& into) {
        LaneElements sources;
        sources.fill(TileOrder::kPadding);
        for (size_t k = 0; k < elements.size(); ++k) {
          if (elements[k] == TileOrder::kPadding) continue;
          sources[k] = origins.of(elements[k]);
        }
        lanes.gather(sources, into);
      });
  return retyped(machine, value_of(array), shape).array;
}

}  // namespace hlo::tpu
