// spec/ops/broadcast.md
#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {{"dimensions", AttributeKind::kInts}};

Shape infer(const Instruction& broadcast) {
  const Shape& operand = broadcast.operand_shape(0);
  const Shape& result = given_shape(broadcast);
  const Ints dimensions = broadcast.get_or<Ints>("dimensions", {});
  require(operand.is_array() &&
              common_type(operand.element_type, result.element_type),
          "broadcast.C1",
          {"the operand is ", operand, " and the result ", result},
          "the result must have the operand's element type, or both must be "
          "floats");
  require(static_cast<int64_t>(dimensions.size()) == operand.rank(),
          "broadcast.C2",
          {"dimensions is ", dimensions, " for the operand ", operand},
          "it must have one entry per dimension of the operand");
  require(are_dimensions(dimensions, result.rank()), "broadcast.C3",
          {"dimensions is ", dimensions, " for the result ", result},
          "it must name different dimensions of the result");
  for (size_t d = 0; d < dimensions.size(); ++d) {
    require(result.dims[static_cast<size_t>(dimensions[d])] == operand.dims[d],
            "broadcast.C4",
            {"dimension ", d, " of the operand ", operand,
             " becomes dimension ", dimensions[d], " of ", result},
            "the two must have one size");
  }
  return result;
}

Origin source(const Instruction& broadcast, Operands, const Index& result) {
  Index index;
  for (const int64_t d : broadcast.get_or<Ints>("dimensions", {})) {
    index.push_back(result[static_cast<size_t>(d)]);
  }
  return {0, index};
}

void fit(const Fitting& on) {
  const Ints dimensions = on.instruction.get_or<Ints>("dimensions", {});
  for (size_t d = 0; d < dimensions.size(); ++d) {
    on.instruction.shape.dims[static_cast<size_t>(dimensions[d])] =
        on.sizes[0][d];
  }
}

}  // namespace

extern constinit const Op op_broadcast{
    .name = "broadcast",
    .form = Form::kMovement,
    .min_operands = 1,
    .max_operands = 1,
    .attributes = kAttributes,
    .infer = infer,
    .source = source,
    .moving = {.operands = 1, .is_affine = true},
    .accuracy = {.moves_data = true},
    .fit = fit};

}  // namespace hlo
