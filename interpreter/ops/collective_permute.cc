// spec/ops/collective_permute.md
#include "interpreter/devices/communication.h"
#include "interpreter/devices/permute.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/group_rules.h"

namespace hlo {
namespace {

Future communicate(const Instruction& permute, Operands operands,
                   Evaluator& evaluator) {
  return permute_arrays(permute, operands, evaluator);
}

}  // namespace

extern constinit const Op op_collective_permute{
    .name = "collective-permute",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kPermuteAttributes,
    .infer = permuted,
    .communicate = communicate,
    .accuracy = {.moves_data = true},
    .check = check_pairs};

}  // namespace hlo
