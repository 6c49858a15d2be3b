// spec/ops/collective_permute.md
#include "interpreter/communication.h"
#include "interpreter/device_rules.h"

namespace hlo {
namespace {

Future communicate(const Instruction& permute, Operands operands,
                   Evaluator& evaluator) {
  return meet(permute, operands, permute_all, evaluator,
              not_permuted(permute, operands));
}

}  // namespace

extern constinit const Op op_collective_permute{
    .name = "collective-permute",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kPermuteAttributes,
    .infer = permuted,
    .communicate = communicate,
    .accuracy = {.moves_data = true}};

}  // namespace hlo
