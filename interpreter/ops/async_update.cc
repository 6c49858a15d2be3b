// spec/ops/async_update.md
#include "interpreter/devices/asynchronous.h"
#include "interpreter/devices/communication.h"
#include "interpreter/rules/attributes/aliasing.h"
#include "interpreter/rules/devices/async_rules.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"async_execution_thread", AttributeKind::kString},
    {"async_group_id", AttributeKind::kInt},
    {"calls", AttributeKind::kComputation},
    {"output_to_operand_aliasing", AttributeKind::kAliasing},
};

bool is_async(const Shape& shape) {
  return shape.is_tuple() && shape.tuple_shapes.size() >= 2 &&
         shape.tuple_shapes[0].is_tuple();
}

void check_arguments(const Shape& result, const Computation& wrapped) {
  require(is_prefix(result.tuple_shapes[0],
                    Shape::tuple(parameter_shapes(wrapped))),
          "async-update.C2",
          {"the operands bound so far are ", result.tuple_shapes[0],
           " and the wrapped computation takes ", ParameterShapes{wrapped}},
          "the operands must be its first arguments");
  require(is_prefix(result.tuple_shapes[1], wrapped.root->shape),
          "async-update.C3",
          {"element 1 of the result is ", result.tuple_shapes[1],
           " and the wrapped computation returns ", wrapped.root->shape},
          "the element must be that, or the first elements of it");
}

/// Only the context can be passed on.
void check_update_alias(const Alias& alias, const Shape& before,
                        const Shape& result) {
  require(alias.operand == 0, "aliasing.operand",
          {"operand ", alias.operand, " is aliased"},
          "it must be operand 0, the state");
  require(
      find_subshape(before, alias.operand_index) != nullptr &&
          !alias.operand_index.empty() && alias.operand_index[0] == 2,
      "aliasing.operand-index",
      {"part ", alias.operand_index, " of the state ", before, " is aliased"},
      "it must be a part of its context, in element 2");
  require(find_subshape(result, alias.output) != nullptr,
          "aliasing.output-index",
          {"part ", alias.output, " of the result ", result, " is aliased"},
          "there must be such a part");
}

Shape infer(const Instruction& update) {
  const Shape& before = update.operand_shape(0);
  require(is_async(before), "text.async", {"operand 0 is ", before},
          "it must be the state of an asynchronous operation");
  const Shape& result = update.has_shape ? update.shape : before;
  Shape bound = before.tuple_shapes[0];
  for (size_t i = 1; i < update.operands.size(); ++i) {
    bound.tuple_shapes.push_back(update.operand_shape(i));
  }
  require(is_async(result) && compatible(result.tuple_shapes[0], bound, true),
          "async-update.C1",
          {"the result is ", result, " and the operands bound are ", bound},
          "element 0 of the result must hold the operands bound before and "
          "those bound here");
  if (const Computation* wrapped = wrapped_computation(update)) {
    check_arguments(result, *wrapped);
  }
  for (const Alias& alias : aliases_of(update)) {
    check_update_alias(alias, before, result);
  }
  return result;
}

Future communicate(const Instruction& update, Operands operands,
                   Evaluator& evaluator) {
  const Literal& before = operands.front();
  std::vector<Literal> bound = before.elements().at(0).elements();
  bound.insert(bound.end(), operands.begin() + 1, operands.end());
  return at_once(bind_operands(update, std::move(bound), &before, evaluator));
}

void check(const Surroundings& around) {
  check_continued(around);
  check_continues(around);
  check_thread(around.instruction);
}

}  // namespace

extern constinit const Op op_async_update{
    .name = "async-update",
    .form = Form::kAsync,
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .communicate = communicate,
    .accuracy = {Accuracy::Kind::kInherit},
    .check = check,
    .holds_buffers = true,
    .carries_async = true};

}  // namespace hlo
