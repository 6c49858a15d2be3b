// spec/ops/reverse.md
#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, /*required=*/true}};

Shape infer(const Instruction& reverse) {
  const Shape& operand = reverse.operand_shape(0);
  require(operand.is_array() &&
              are_dimensions(reverse.get<Ints>("dimensions"), operand.rank()),
          "reverse.C1",
          {"dimensions is ", reverse.get<Ints>("dimensions"),
           " for the operand ", operand},
          "it must name different dimensions of the operand");
  return operand;
}

Origin source(const Instruction& reverse, Operands, const Index& result) {
  Index index = result;
  for (const int64_t dimension : reverse.get<Ints>("dimensions")) {
    const auto d = static_cast<size_t>(dimension);
    index[d] = reverse.shape.dims[d] - 1 - result[d];
  }
  return {0, index};
}

}  // namespace

extern constinit const Op op_reverse{
    .name = "reverse",
    .min_operands = 1,
    .max_operands = 1,
    .attributes = kAttributes,
    .infer = infer,
    .source = source,
    .moving = {.operands = 1, .is_affine = true},
    .accuracy = {.moves_data = true},
    .fit = fit_shapes};

}  // namespace hlo
