// spec/ops/ragged_all_to_all.md
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"replica_groups", AttributeKind::kReplicaGroups},
};

Shape infer(const Instruction& exchange) {
  const Shape& input = exchange.operand_shape(0);
  const Shape& output = exchange.operand_shape(1);
  require(input.element_type == output.element_type &&
              same_but_for(input, output, 0) && input.rank() >= 1,
          "ragged-all-to-all.C1",
          "input and output are arrays that differ in dimension 0 only");
  const Shape& offsets = exchange.operand_shape(2);
  require(is_integer(offsets.element_type) && offsets.rank() >= 1 &&
              offsets.rank() <= 2,
          "ragged-all-to-all.C2", "offsets are integers of rank 1 or 2");
  for (size_t i = 3; i < 6; ++i) {
    require(compatible(exchange.operand_shape(i), offsets),
            "ragged-all-to-all.C3", "offsets and sizes have one shape");
  }
  return output;
}

}  // namespace

extern constinit const Op op_ragged_all_to_all{
    .name = "ragged-all-to-all",
    .min_operands = 6,
    .max_operands = 6,
    .attributes = kAttributes,
    .infer = infer,
    .accuracy = {.moves_data = true}};

}  // namespace hlo
