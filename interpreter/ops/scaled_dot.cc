// spec/ops/scaled_dot.md
#include <algorithm>

#include "interpreter/plans/contraction/scaled.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"lhs_batch_dims", AttributeKind::kInts},
    {"lhs_contracting_dims", AttributeKind::kInts},
    {"rhs_batch_dims", AttributeKind::kInts},
    {"rhs_contracting_dims", AttributeKind::kInts},
    {"operand_precision", AttributeKind::kWords, false,
     "default high highest packed_nibble"},
};

void check_scale(const Shape& operand, const Shape& scale) {
  if (scale.is_scalar()) return;
  require(scale.rank() == operand.rank(), "scaled-dot.C4",
          {"a scale is ", scale, " for the operand ", operand},
          "it must be a scalar or have as many dimensions");
  for (size_t d = 0; d < scale.dims.size(); ++d) {
    require(scale.dims[d] > 0 ? operand.dims[d] % scale.dims[d] == 0
                              : operand.dims[d] == 0,
            "scaled-dot.C5",
            {"dimension ", d, " of the operand is ", operand.dims[d],
             " and of the scale ", scale.dims[d]},
            "the first must be a multiple of the second");
  }
}

Shape infer(const Instruction& dot) {
  const Shape& lhs = dot.operand_shape(0);
  const Shape& rhs = dot.operand_shape(1);
  const DotDimensions dims = dot_dimensions(dot);
  require(std::ranges::all_of(operand_shapes(dot), &Shape::is_array) &&
              are_dimensions_of(dims, lhs, rhs),
          "scaled-dot.C1", {"the operands are ", OperandShapes{dot}},
          "they must be arrays, of which batch and contracting dimensions are "
          "distinct and come in pairs");
  require(sizes_agree(dims, lhs, rhs), "scaled-dot.C2",
          {"the operands are ", lhs, " and ", rhs},
          "paired dimensions must have one size");
  require(
      !dot.operand_shape(2).is_scalar() || !dot.operand_shape(3).is_scalar(),
      "scaled-dot.C3",
      {"both scales are scalars: ", dot.operand_shape(2), " and ",
       dot.operand_shape(3)},
      "at least one must not be");
  check_scale(lhs, dot.operand_shape(2));
  check_scale(rhs, dot.operand_shape(3));
  Shape result = Shape::array(contraction_type(dot), {});
  append_sizes(result.dims, lhs, dims.lhs_batch);
  append_sizes(result.dims, lhs,
               remaining(lhs.rank(), dims.lhs_batch, dims.lhs_contracting));
  append_sizes(result.dims, rhs,
               remaining(rhs.rank(), dims.rhs_batch, dims.rhs_contracting));
  return result;
}

Literal eval(const Instruction& dot, Operands operands, Evaluator& evaluator) {
  if (dot.shape.element_count() == 0) return Literal(dot.shape);
  return apply(scaled_dot(dot, operands), dot.shape, evaluator);
}

}  // namespace

extern constinit const Op op_scaled_dot{
    .name = "scaled-dot",
    .min_operands = 4,
    .max_operands = 4,
    .attributes = kAttributes,
    .infer = infer,
    .eval = eval,
    .accuracy = {Accuracy::Kind::kScaledSum}};

}  // namespace hlo
