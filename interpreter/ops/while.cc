// spec/ops/while.md
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"condition", AttributeKind::kComputation, /*required=*/true},
    {"body", AttributeKind::kComputation, /*required=*/true}};

Shape infer(const Instruction& loop) {
  const Shape& state = loop.operand_shape(0);
  const auto* condition = loop.get<Computation*>("condition");
  const auto* body = loop.get<Computation*>("body");
  require_takes(*condition, {state}, "while.C1");
  require(condition->root->shape.is_scalar() &&
              condition->root->shape.element_type == ElementType::kPred,
          "while.C2", {"the condition returns ", condition->root->shape},
          "it must return a pred scalar");
  require_takes(*body, {state}, "while.C3");
  require(compatible(body->root->shape, state, /*ignore_dynamic=*/true),
          "while.C4",
          {"the body returns ", body->root->shape, " and the initial value is ",
           state},
          "they must have one shape");
  require_same_thread(loop, *condition, "while.C5");
  require_same_thread(loop, *body, "while.C5");
  return state;
}

/// Condition and body take turns: the loop's value is in state.values[0] while
/// the condition looks at it.
Progress control(const Instruction& loop, Operands operands,
                 ControlState& state, Evaluator&) {
  const bool condition_returned = state.visits % 2 == 1;
  if (condition_returned) {
    Literal value = std::move(state.values[0]);
    state.values.clear();
    if (state.returned.integer(0) == 0) return value;
    std::vector<Literal> arguments;
    arguments.push_back(std::move(value));
    return Invoke{loop.get<Computation*>("body"), std::move(arguments)};
  }
  if (state.visits == 0) {
    state.values.push_back(operands[0]);
  } else {
    state.values.push_back(std::move(state.returned));
  }
  return Invoke{loop.get<Computation*>("condition"), {state.values[0]}};
}

}  // namespace

extern constinit const Op op_while{
    .name = "while",
    .form = Form::kLoop,
    .min_operands = 1,
    .max_operands = 1,
    .attributes = kAttributes,
    .infer = infer,
    .control = control,
    .accuracy = {.kind = Accuracy::Kind::kInherit},
    .holds_buffers = true,
    .carries_async = true};

}  // namespace hlo
