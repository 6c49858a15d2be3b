#include "interpreter/rules/dimensions/scatter_dimensions.h"

#include "interpreter/rules/shape_rules.h"

namespace hlo {

ScatterDimensions::ScatterDimensions(const Instruction& scatter)
    : update_window(scatter.get<Ints>("update_window_dims")),
      inserted(scatter.get<Ints>("inserted_window_dims")),
      to_operand(scatter.get<Ints>("scatter_dims_to_operand_dims")),
      operand_batching(scatter.get_or("input_batching_dims", Ints{})),
      indices_batching(scatter.get_or("scatter_indices_batching_dims", Ints{})),
      index_vector_dim(scatter.get<int64_t>("index_vector_dim")) {}

Ints ScatterDimensions::window_dims_of_operand(int64_t rank) const {
  return remaining(rank, inserted, operand_batching);
}

Ints ScatterDimensions::scatter_dims_of_updates(int64_t rank) const {
  return remaining(rank, update_window, {});
}

Ints ScatterDimensions::scatter_dims_of_indices(int64_t rank) const {
  return remaining(rank, {index_vector_dim}, {});
}

}  // namespace hlo
