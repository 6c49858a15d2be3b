#pragma once

#include "backends/tpu/operations/contraction/contraction_map.h"
#include "backends/tpu/operations/contraction/scheme.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// What a contraction is made of.
struct Contracted {
  Machine& machine;
  const Instruction& instruction;
  const Values& operands;
  const Scheme& scheme;
  const ContractionMap& map;
  const TiledArray& result;
};

/// Fills the result, block by block, on the matrix unit.
void contract_on_matrix_unit(const Contracted& contracted);
/// Fills the result, register by register, on the vector unit. The map must be
/// uniform.
void contract_on_vector_unit(const Contracted& contracted);

/// How many registers of each array are kept where so many bytes are free.
int64_t kept_registers(int64_t room);

}  // namespace hlo::tpu
