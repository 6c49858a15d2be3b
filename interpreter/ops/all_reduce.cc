// spec/ops/all_reduce.md
#include <algorithm>

#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"replica_groups", AttributeKind::kReplicaGroups},
    {"constrain_layout", AttributeKind::kBool},
    {"use_global_device_ids", AttributeKind::kBool},
    {"mode", AttributeKind::kWord, false,
     "cross_replica cross_partition cross_replica_and_partition flattened_id"},
    {"to_apply", AttributeKind::kComputation, true},
};

Shape infer(const Instruction& reduction) {
  check_combiner(reduction, "all-reduce.C1");
  std::vector<Shape> shapes = operand_shapes(reduction);
  require(std::ranges::all_of(shapes, &Shape::is_array), "all-reduce.C2",
          "operands are arrays");
  return one_or_tuple(std::move(shapes));
}

}  // namespace

extern constinit const Op op_all_reduce{.name = "all-reduce",
                                        .min_operands = 1,
                                        .max_operands = -1,
                                        .attributes = kAttributes,
                                        .infer = infer,
                                        .accuracy = {Accuracy::Kind::kInherit}};

}  // namespace hlo
