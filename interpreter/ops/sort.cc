// spec/ops/sort.md
#include "interpreter/error.h"
#include "interpreter/plans/sort/sorting.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, true},
    {"is_stable", AttributeKind::kBool},
    {"to_apply", AttributeKind::kComputation, true},
};

/// Two scalars of each operand's type in, a truth value out.
void check_comparator(const Instruction& sort) {
  const Computation& comparator = *sort.get<Computation*>("to_apply");
  const size_t operands = sort.operands.size();
  require(comparator.parameters.size() == 2 * operands, "sort.C3",
          {"the comparator takes ", ParameterShapes{comparator}, " for ",
           Count{static_cast<int64_t>(operands), "operand"}},
          "it must take two scalars of each operand's type");
  for (size_t p = 0; p < comparator.parameters.size(); ++p) {
    const Shape wanted = Shape::scalar(sort.operand_shape(p / 2).element_type);
    require(
        compatible(comparator.parameters[p]->shape, wanted), "sort.C3",
        {"parameter ", p, " of the comparator is ",
         comparator.parameters[p]->shape, " for an operand of type ", wanted},
        "it must take two scalars of each operand's type");
  }
  require(compatible(comparator.root->shape, Shape::scalar(ElementType::kPred)),
          "sort.C4", {"the comparator returns ", comparator.root->shape},
          "it must return a pred scalar");
}

Shape infer(const Instruction& sort) {
  const Shape& first = sort.operand_shape(0);
  for (const Instruction* operand : sort.operands) {
    require(operand->shape.is_array() && same_dims(operand->shape, first),
            "sort.C1", {"the operands are ", OperandShapes{sort}},
            "they must be arrays of the same dimensions");
  }
  only_dimension(sort, first.rank(), "sort.C2");
  check_comparator(sort);
  return one_or_tuple(operand_shapes(sort));
}

Literal eval(const Instruction& sort, Operands operands, Evaluator& evaluator) {
  const Lines lines =
      lines_along(operands[0].shape(), sort.get<Ints>("dimensions")[0]);
  const auto order = sort_lines(lines, operands,
                                *sort.get<Computation*>("to_apply"), evaluator);
  std::vector<Literal> results;
  for (const Literal& operand : operands) {
    results.push_back(take_in_order(lines, operand, order, evaluator));
  }
  return results.size() == 1 ? results[0] : Literal::tuple(std::move(results));
}

bool is_determined(const Instruction& sort) {
  return sort.get_or("is_stable", false);
}

}  // namespace

extern constinit const Op op_sort{
    .name = "sort",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .eval = eval,
    .accuracy = {.kind = Accuracy::Kind::kOrdered, .moves_data = true},
    .is_determined = is_determined};

}  // namespace hlo
