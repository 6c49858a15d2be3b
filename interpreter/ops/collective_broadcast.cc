// spec/ops/collective_broadcast.md
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"replica_groups", AttributeKind::kReplicaGroups},
    {"has_dynamic_root", AttributeKind::kBool},
};

Shape infer(const Instruction& broadcast) {
  std::vector<Shape> shapes =
      array_operands(broadcast, "collective-broadcast.C1");
  if (broadcast.get_or<bool>("has_dynamic_root", false)) {
    require(shapes.size() >= 2 && shapes.back().rank() <= 1,
            "collective-broadcast.C2",
            "the last operand holds the roots, in an array of rank 0 or 1");
    shapes.pop_back();
  }
  return one_or_tuple(std::move(shapes));
}

}  // namespace

extern constinit const Op op_collective_broadcast{
    .name = "collective-broadcast",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .accuracy = {.moves_data = true}};

}  // namespace hlo
