// spec/ops/async_start.md
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
    {"calls", AttributeKind::kComputation, true},
    {"output_to_operand_aliasing", AttributeKind::kAliasing},
};

/// The operands are those of the wrapped computation: what is bound later may
/// be aliased already.
void check_aliases(const Instruction& start, const Computation& wrapped) {
  const std::vector<Shape> operands = parameter_shapes(wrapped);
  Shape bound = start.shape;
  bound.tuple_shapes[0] = Shape::tuple(operands);
  bound.tuple_shapes[1] = wrapped.root->shape;
  for (const Alias& alias : aliases_of(start)) {
    require(!alias.output.empty(), "aliasing.output-index",
            {"the whole result ", bound, " is aliased"},
            "it must be a part of it");
    check_alias(alias, operands, bound);
  }
}

Shape infer(const Instruction& start) {
  const Shape& result = given_shape(start);
  require(result.is_tuple() && result.tuple_shapes.size() >= 2 &&
              result.tuple_shapes[0].is_tuple(),
          "text.async", {"the result is ", result},
          "it must be a tuple of the operands so far, the result so far and "
          "any context");
  require(compatible(result.tuple_shapes[0],
                     Shape::tuple(operand_shapes(start)), true),
          "async-start.C1",
          {"element 0 of the result is ", result.tuple_shapes[0],
           " and the operands are ", OperandShapes{start}},
          "they must have the same shapes");
  const Computation& wrapped = *start.get<Computation*>("calls");
  require(is_prefix(result.tuple_shapes[0],
                    Shape::tuple(parameter_shapes(wrapped))),
          "async-start.C2",
          {"the operands are ", result.tuple_shapes[0], " and calls takes ",
           ParameterShapes{wrapped}},
          "the operands must be its first arguments");
  require(is_prefix(result.tuple_shapes[1], wrapped.root->shape),
          "async-start.C3",
          {"element 1 of the result is ", result.tuple_shapes[1],
           " and calls returns ", wrapped.root->shape},
          "the element must be that, or the first elements of it");
  check_aliases(start, wrapped);
  return result;
}

Future communicate(const Instruction& start, Operands operands,
                   Evaluator& evaluator) {
  return at_once(bind_operands(start, {operands.begin(), operands.end()},
                               nullptr, evaluator));
}

void check(const Surroundings& around) {
  check_continues(around);
  check_wrapped(around.instruction);
}

}  // namespace

extern constinit const Op op_async_start{.name = "async-start",
                                         .form = Form::kAsync,
                                         .max_operands = -1,
                                         .attributes = kAttributes,
                                         .infer = infer,
                                         .communicate = communicate,
                                         .accuracy = {Accuracy::Kind::kInherit},
                                         .check = check,
                                         .holds_buffers = true,
                                         .carries_async = true};

}  // namespace hlo
