// spec/ops/all_to_all.md
#include <algorithm>

#include "interpreter/devices/communication.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/devices/group_rules.h"
#include "interpreter/rules/shape_rules.h"

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
  require(first.is_array(), "all-to-all.C1", {"the first operand is ", first},
          "operands must be arrays");
  if (exchange.find("dimensions") != nullptr) {
    require(exchange.operands.size() == 1, "all-to-all.C2",
            {"there are ", Count{std::ssize(exchange.operands), "operand"}},
            "with dimensions there must be one");
    only_dimension(exchange, first.rank(), "all-to-all.C3");
    return first;
  }
  std::vector<Shape> shapes = operand_shapes(exchange);
  require(std::ranges::all_of(shapes,
                              [&](const Shape& s) {
                                return compatible(s, first,
                                                  /*ignore_dynamic=*/true);
                              }),
          "all-to-all.C4", {"the operands are ", shapes},
          "without dimensions they must all have one shape");
  return Shape::tuple(std::move(shapes));
}

/// The group may be another one than the verifier knew.
void check_parts(const std::vector<Literal>& operands, int64_t d,
                 int64_t count) {
  require_evaluable(d >= 0 || std::ssize(operands) == count,
                    "collective.exchange-operands",
                    {"there are ", Count{std::ssize(operands), "operand"},
                     " and ", Count{count, "member"}, " in the group"},
                    "there must be one operand for each member");
  require_evaluable(
      d < 0 || operands[0].shape().dims[static_cast<size_t>(d)] % count == 0,
      "collective.exchange-split",
      {"dimension ", d, " of ", operands[0].shape(), " is split among ",
       Count{count, "member"}},
      "its size must be a multiple of their number");
}

/// Member j gets, from every member in order, the j-th part of its array, or
/// its j-th array.
std::vector<Literal> exchange_all(const Meeting& meeting, Evaluator&) {
  const auto count = static_cast<int64_t>(meeting.size());
  const AttributeValue* dimensions = meeting.collective->find("dimensions");
  const int64_t d = dimensions == nullptr ? -1 : std::get<Ints>(*dimensions)[0];
  check_parts(meeting.operands[0], d, count);
  std::vector<Literal> results;
  for (int64_t j = 0; j < count; ++j) {
    std::vector<Literal> received;
    for (const std::vector<Literal>& operands : meeting.operands) {
      received.push_back(d < 0 ? operands[static_cast<size_t>(j)]
                               : part_of(operands[0], d, j, count));
    }
    Literal all = d < 0 ? Literal::tuple(received) : concatenated(received, d);
    results.push_back(std::move(all));
  }
  return results;
}

Future communicate(const Instruction& exchange, Operands operands,
                   Evaluator& evaluator) {
  return meet(exchange, operands, exchange_all, evaluator);
}

void check(const Surroundings& around) {
  check_equal_groups(around);
  const Instruction& exchange = around.instruction;
  const int64_t size = group_size(exchange, around.module);
  if (const AttributeValue* dimensions = exchange.find("dimensions")) {
    const auto d = static_cast<size_t>(std::get<Ints>(*dimensions)[0]);
    require(exchange.operand_shape(0).dims[d] % size == 0,
            "collective.exchange-split",
            {"dimension ", d, " of ", exchange.operand_shape(0),
             " is split among ", Count{size, "member"}},
            "its size must be a multiple of their number");
    return;
  }
  require(std::ssize(exchange.operands) == size, "collective.exchange-operands",
          {"there are ", Count{std::ssize(exchange.operands), "operand"},
           " and ", Count{size, "member"}, " in a group"},
          "there must be one operand for each member");
}

}  // namespace

extern constinit const Op op_all_to_all{.name = "all-to-all",
                                        .min_operands = 1,
                                        .max_operands = -1,
                                        .attributes = kAttributes,
                                        .infer = infer,
                                        .communicate = communicate,
                                        .accuracy = {.moves_data = true},
                                        .check = check};

}  // namespace hlo
