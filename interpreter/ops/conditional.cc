// spec/ops/conditional.md
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"branch_computations", AttributeKind::kComputations},
    {"true_computation", AttributeKind::kComputation},
    {"false_computation", AttributeKind::kComputation}};

bool is_predicated(const Instruction& conditional) {
  return conditional.operand_shape(0).element_type == ElementType::kPred;
}

void require_form(const Instruction& conditional) {
  const Shape& selector = conditional.operand_shape(0);
  require(
      selector.is_scalar() && (selector.element_type == ElementType::kPred ||
                               selector.element_type == ElementType::kS32),
      "conditional.C1", {"the first operand is ", selector},
      "it must be a pred or s32 scalar");
  const bool predicated = is_predicated(conditional);
  const auto given = [&](std::string_view attribute) {
    return conditional.find(attribute) != nullptr;
  };
  require(given("branch_computations") != predicated &&
              given("true_computation") == predicated &&
              given("false_computation") == predicated,
          "conditional.C2",
          {"the first operand is ", conditional.operand_shape(0),
           " and the attributes are those of another kind"},
          "a predicate needs true_computation and false_computation, an index "
          "needs branch_computations");
}

Shape infer(const Instruction& conditional) {
  require_form(conditional);
  const Computations choices = branches_of(conditional);
  require(!choices.empty() && choices.size() + 1 == conditional.operands.size(),
          "conditional.C3",
          {"there are ", Count{std::ssize(choices), "branch", "branches"},
           " and ", Count{std::ssize(conditional.operands), "operand"}},
          "there must be one operand for the choice, and one for each branch");
  const Shape& result = choices[0]->root->shape;
  for (size_t b = 0; b < choices.size(); ++b) {
    require_takes(*choices[b], {conditional.operand_shape(b + 1)},
                  "conditional.C4");
    require(compatible(choices[b]->root->shape, result,
                       /*ignore_dynamic=*/true),
            "conditional.C5",
            {"branch ", b, " returns ", choices[b]->root->shape,
             " and branch 0 ", result},
            "all branches must return the same shape");
    require_same_thread(conditional, *choices[b], "conditional.C6");
  }
  return result;
}

Progress control(const Instruction& conditional, Operands operands,
                 ControlState& state, Evaluator&) {
  if (state.visits > 0) return state.returned;
  const Computations choices = branches_of(conditional);
  const auto last = static_cast<int64_t>(choices.size()) - 1;
  const int64_t selector = operands[0].integer(0);
  int64_t branch = is_predicated(conditional) ? 1 - selector : selector;
  if (branch < 0 || branch > last) branch = last;
  const auto b = static_cast<size_t>(branch);
  return Invoke{choices[b], {operands[b + 1]}};
}

}  // namespace

extern constinit const Op op_conditional{
    .name = "conditional",
    .form = Form::kBranches,
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .control = control,
    .accuracy = {.kind = Accuracy::Kind::kInherit},
    .holds_buffers = true,
    .carries_async = true};

}  // namespace hlo
