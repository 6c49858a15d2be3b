#include "interpreter/rules/dimensions/gather_numbers.h"

#include "interpreter/rules/shape_rules.h"

namespace hlo {

GatherNumbers gather_numbers(const Instruction& gather) {
  GatherNumbers n{gather.get<Ints>("offset_dims"),
                  gather.get<Ints>("collapsed_slice_dims"),
                  gather.get<Ints>("start_index_map"),
                  gather.get_or<Ints>("operand_batching_dims", {}),
                  gather.get_or<Ints>("start_indices_batching_dims", {}),
                  gather.get<int64_t>("index_vector_dim"),
                  gather.get<Ints>("slice_sizes")};
  n.window = remaining(gather.operand_shape(0).rank(), n.collapsed,
                       n.operand_batching);
  n.index_dims =
      remaining(gather.operand_shape(1).rank(), {n.index_vector_dim}, {});
  const auto result_rank =
      static_cast<int64_t>(n.offset_dims.size() + n.index_dims.size());
  n.batch_dims = remaining(result_rank, n.offset_dims, {});
  return n;
}

}  // namespace hlo
