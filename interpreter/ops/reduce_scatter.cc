// spec/ops/reduce_scatter.md
#include "interpreter/devices/combine.h"
#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/group_rules.h"
#include "interpreter/rules/reducer.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"replica_groups", AttributeKind::kReplicaGroups},
    {"constrain_layout", AttributeKind::kBool},
    {"use_global_device_ids", AttributeKind::kBool},
    {"mode", AttributeKind::kWord, false, kGroupModes},
    {"dimensions", AttributeKind::kInts, true},
    {"to_apply", AttributeKind::kComputation, true},
};

void check_scattered(const Instruction& scatter, const Shape& operand,
                     const Shape& result) {
  require(operand.is_array(), "reduce-scatter.C2", {"the operand is ", operand},
          "operands must be arrays");
  const int64_t d =
      only_dimension(scatter, operand.rank(), "reduce-scatter.C3");
  require(same_but_for(operand, result, d), "reduce-scatter.C4",
          {"the operand is ", operand, " and the result ", result,
           " and dimension ", d, " is scattered"},
          "the other dimensions must have the same sizes");
  require(same_up_to_precision(operand.element_type, result.element_type),
          "reduce-scatter.C4",
          {"the operand is ", operand, " and the result ", result},
          "they must have one type, but for the precision of floats");
  const int64_t whole = operand.dims[static_cast<size_t>(d)];
  const int64_t part = result.dims[static_cast<size_t>(d)];
  require(part == 0 ? whole == 0 : whole % part == 0, "reduce-scatter.C5",
          {"dimension ", d, " has ", Count{whole, "element"},
           " in the operand and ", part, " in the result"},
          "the first must be a multiple of the second");
}

Shape infer(const Instruction& scatter) {
  const Shape& result = given_shape(scatter);
  check_combiner(scatter, "reduce-scatter.C1");
  const size_t count = scatter.operands.size();
  const std::vector<Shape> results = split(result, count, "reduce-scatter.C6");
  for (size_t i = 0; i < count; ++i) {
    check_scattered(scatter, scatter.operand_shape(i), results[i]);
  }
  return result;
}

/// Member i keeps the i-th part of what all members together have.
std::vector<Literal> reduce_and_scatter(const Meeting& meeting,
                                        Evaluator& evaluator) {
  const int64_t d = meeting.collective->get<Ints>("dimensions")[0];
  const auto count = static_cast<int64_t>(meeting.size());
  const std::vector<Literal> wholes = combined(meeting, evaluator);
  std::vector<Literal> results;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Literal> parts;
    parts.reserve(wholes.size());
    for (const Literal& whole : wholes) {
      parts.push_back(part_of(whole, d, i, count));
    }
    results.push_back(one_or_tuple(std::move(parts)));
  }
  return results;
}

Future communicate(const Instruction& scatter, Operands operands,
                   Evaluator& evaluator) {
  return meet(scatter, operands, reduce_and_scatter, evaluator);
}

void check(const Surroundings& around) {
  check_equal_groups(around);
  check_shards(around, around.instruction.shape,
               around.instruction.operand_shape(0));
}

}  // namespace

extern constinit const Op op_reduce_scatter{
    .name = "reduce-scatter",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .communicate = communicate,
    .accuracy = {Accuracy::Kind::kInherit},
    .check = check};

}  // namespace hlo
