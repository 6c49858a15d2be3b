// spec/ops/collective_broadcast.md
#include "interpreter/devices/communication.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/group_rules.h"
#include "interpreter/rules/shape_rules.h"

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
            "collective-broadcast.C2", {"the operands are ", shapes},
            "the last one must hold the roots, in an array of rank 0 or 1");
    shapes.pop_back();
  }
  return one_or_tuple(std::move(shapes));
}

size_t root_of(const Meeting& meeting, size_t array) {
  const Literal& roots = meeting.operands[0].back();
  require_evaluable(is_integer(roots.type()), "collective-broadcast.roots",
                    {"the roots are ", roots.type()}, "they must be integers");
  const int64_t arrays = std::ssize(meeting.operands[0]) - 1;
  require_evaluable(
      roots.element_count() == 1 || roots.element_count() == arrays,
      "collective-broadcast.roots",
      {"there are ", Count{roots.element_count(), "root"}, " for ",
       Count{arrays, "array"}},
      "there must be one root, or one for each array");
  const int64_t place =
      roots.element_count() == 1 ? 0 : static_cast<int64_t>(array);
  const int64_t root = roots.integer(place);
  require_evaluable(root >= 0 && root < std::ssize(meeting.operands),
                    "collective-broadcast.roots",
                    {"the root is ", root, " in a group of ",
                     Count{std::ssize(meeting.operands), "member"}},
                    "it must be the place of a member");
  return static_cast<size_t>(root);
}

/// The first member's arrays, or those of the members that the last operand
/// counts from 0.
std::vector<Literal> broadcast_roots(const Meeting& meeting, Evaluator&) {
  const bool chosen =
      meeting.collective->get_or<bool>("has_dynamic_root", false);
  const size_t arrays = meeting.operands[0].size() - (chosen ? 1 : 0);
  std::vector<Literal> results;
  for (size_t k = 0; k < arrays; ++k) {
    const size_t root = chosen ? root_of(meeting, k) : 0;
    results.push_back(meeting.operands[root][k]);
  }
  return for_all(meeting, one_or_tuple(std::move(results)));
}

Future communicate(const Instruction& broadcast, Operands operands,
                   Evaluator& evaluator) {
  return hand_on(broadcast, operands, broadcast_roots, evaluator,
                 Literal(broadcast.shape));
}

}  // namespace

extern constinit const Op op_collective_broadcast{
    .name = "collective-broadcast",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .communicate = communicate,
    .accuracy = {.moves_data = true},
    .check = check_group_ids};

}  // namespace hlo
