// spec/ops/collective_permute.md
#include "interpreter/device_rules.h"

namespace hlo {

extern constinit const Op op_collective_permute{
    .name = "collective-permute",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kPermuteAttributes,
    .infer = permuted,
    .accuracy = {.moves_data = true}};

}  // namespace hlo
