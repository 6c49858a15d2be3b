// spec/ops/reverse.md
#include "interpreter/error.h"
#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/shape_rules.h"

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

Movement movement(const Instruction& reverse, Operands) {
  const Shape& shape = reverse.shape;
  const Ints strides = row_major_strides(shape.dims);
  Ints source_strides = strides;
  int64_t offset = 0;
  for (const int64_t dimension : reverse.get<Ints>("dimensions")) {
    const auto d = static_cast<size_t>(dimension);
    offset += (shape.dims[d] - 1) * strides[d];
    source_strides[d] = -strides[d];
  }
  return move_strided(shape.dims, offset, source_strides);
}

}  // namespace

extern constinit const Op op_reverse{.name = "reverse",
                                     .min_operands = 1,
                                     .max_operands = 1,
                                     .attributes = kAttributes,
                                     .infer = infer,
                                     .movement = movement,
                                     .accuracy = {.moves_data = true}};

}  // namespace hlo
