// spec/ops/all_gather.md
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"replica_groups", AttributeKind::kReplicaGroups},
    {"constrain_layout", AttributeKind::kBool},
    {"dimensions", AttributeKind::kInts, true},
    {"use_global_device_ids", AttributeKind::kBool},
};

Shape infer(const Instruction& gather) {
  const Shape& result = given_shape(gather);
  check_gathered(gather,
                 split(result, gather.operands.size(), "all-gather.C5"));
  return result;
}

}  // namespace

extern constinit const Op op_all_gather{.name = "all-gather",
                                        .min_operands = 1,
                                        .max_operands = -1,
                                        .attributes = kAttributes,
                                        .infer = infer,
                                        .accuracy = {.moves_data = true}};

}  // namespace hlo
