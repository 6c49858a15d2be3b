#pragma once

#include <cstdint>

#include "interpreter/model/module.h"

namespace hlo {

/// The attributes of a gather, and what follows from them.
struct GatherNumbers {
  Ints offset_dims = {};
  Ints collapsed = {};
  Ints start_index_map = {};
  Ints operand_batching = {};
  Ints indices_batching = {};
  int64_t index_vector_dim = 0;
  Ints slice_sizes = {};
  Ints window = {};      // operand dimensions that offset_dims stand for
  Ints batch_dims = {};  // result dimensions that are not offset_dims
  Ints index_dims = {};  // dimensions of the indices that batch_dims stand for
};

/// The numbers of a gather whose operands' ranks are known.
GatherNumbers gather_numbers(const Instruction& gather);

}  // namespace hlo
