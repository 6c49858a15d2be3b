// spec/ops/all_to_all.md
#include <algorithm>

#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"replica_groups", AttributeKind::kReplicaGroups},
    {"constrain_layout", AttributeKind::kBool},
    {"dimensions", AttributeKind::kInts},
};

Shape infer(const Instruction& exchange) {
  const Shape& first = exchange.operand_shape(0);
  require(first.is_array(), "all-to-all.C1", "operands are arrays");
  if (exchange.find("dimensions") != nullptr) {
    require(exchange.operands.size() == 1, "all-to-all.C2",
            "with dimensions there is one operand");
    only_dimension(exchange, first.rank(), "all-to-all.C3");
    return first;
  }
  std::vector<Shape> shapes = operand_shapes(exchange);
  require(std::ranges::all_of(
              shapes, [&](const Shape& s) { return compatible(s, first); }),
          "all-to-all.C4", "without dimensions all operands have one shape");
  return Shape::tuple(std::move(shapes));
}

}  // namespace

extern constinit const Op op_all_to_all{.name = "all-to-all",
                                        .min_operands = 1,
                                        .max_operands = -1,
                                        .attributes = kAttributes,
                                        .infer = infer,
                                        .accuracy = {.moves_data = true}};

}  // namespace hlo
