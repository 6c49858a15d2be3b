// spec/ops/get_tuple_element.md
#include "interpreter/error.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"index", AttributeKind::kInt, /*required=*/true}};

Shape infer(const Instruction& element) {
  const Shape& operand = element.operand_shape(0);
  require(operand.is_tuple(), "get-tuple-element.C1",
          {"the operand is ", operand}, "it must be a tuple");
  const auto index = element.get<int64_t>("index");
  require(
      index >= 0 && index < static_cast<int64_t>(operand.tuple_shapes.size()),
      "get-tuple-element.C2", {"index is ", index, " for the tuple ", operand},
      "it must name an element");
  return operand.tuple_shapes[static_cast<size_t>(index)];
}

Literal value(const Instruction& element, Operands operands, Evaluator&) {
  const auto index = static_cast<size_t>(element.get<int64_t>("index"));
  return operands[0].elements()[index];
}

}  // namespace

extern constinit const Op op_get_tuple_element{.name = "get-tuple-element",
                                               .form = Form::kElement,
                                               .min_operands = 1,
                                               .max_operands = 1,
                                               .attributes = kAttributes,
                                               .infer = infer,
                                               .value = value,
                                               .accuracy = {.moves_data = true},
                                               .takes_sizes = true,
                                               .holds_buffers = true,
                                               .carries_async = true};

}  // namespace hlo
