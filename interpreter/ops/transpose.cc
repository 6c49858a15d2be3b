// spec/ops/transpose.md
#include "interpreter/error.h"
#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, /*required=*/true}};

Shape infer(const Instruction& transpose) {
  const Shape& operand = transpose.operand_shape(0);
  const auto& permutation = transpose.get<Ints>("dimensions");
  require(operand.is_array() &&
              static_cast<int64_t>(permutation.size()) == operand.rank() &&
              are_dimensions(permutation, operand.rank()),
          "transpose.C1",
          {"dimensions is ", permutation, " for the operand ", operand},
          "it must be a permutation of the operand's dimensions");
  Shape result = Shape::array(operand.element_type, operand.dims);
  for (int64_t d = 0; d < operand.rank(); ++d) {
    const int64_t from = permutation[static_cast<size_t>(d)];
    result.dims[static_cast<size_t>(d)] =
        operand.dims[static_cast<size_t>(from)];
    result.set_dynamic(d, operand.is_dynamic(from));
  }
  return result;
}

Movement movement(const Instruction& transpose, Operands) {
  const Ints operand_strides =
      row_major_strides(transpose.operand_shape(0).dims);
  Ints source_strides;
  for (const int64_t from : transpose.get<Ints>("dimensions")) {
    source_strides.push_back(operand_strides[static_cast<size_t>(from)]);
  }
  return move_strided(transpose.shape.dims, 0, source_strides);
}

}  // namespace

extern constinit const Op op_transpose{.name = "transpose",
                                       .form = Form::kMovement,
                                       .min_operands = 1,
                                       .max_operands = 1,
                                       .attributes = kAttributes,
                                       .infer = infer,
                                       .movement = movement,
                                       .accuracy = {.moves_data = true}};

}  // namespace hlo
