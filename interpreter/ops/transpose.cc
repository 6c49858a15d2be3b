// spec/ops/transpose.md
#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"

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

Origin source(const Instruction& transpose, Operands, const Index& result) {
  const auto& permutation = transpose.get<Ints>("dimensions");
  Index index(result.size());
  for (size_t d = 0; d < result.size(); ++d) {
    index[static_cast<size_t>(permutation[d])] = result[d];
  }
  return {0, index};
}

}  // namespace

extern constinit const Op op_transpose{
    .name = "transpose",
    .form = Form::kMovement,
    .min_operands = 1,
    .max_operands = 1,
    .attributes = kAttributes,
    .infer = infer,
    .source = source,
    .moving = {.operands = 1, .is_affine = true},
    .accuracy = {.moves_data = true},
    .fit = fit_shapes};

}  // namespace hlo
