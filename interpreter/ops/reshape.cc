// spec/ops/reshape.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fit_reshape.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"inferred_dimension", AttributeKind::kInt}};

bool is_unbounded(const Shape& shape) {
  return std::ranges::find(shape.dims, kUnbounded) != shape.dims.end();
}

Shape infer(const Instruction& reshape) {
  const Shape& operand = reshape.operand_shape(0);
  const Shape& result = given_shape(reshape);
  require(operand.is_array() && result.element_type == operand.element_type,
          "reshape.C1",
          {"the operand is ", operand, " and the result ", result},
          "both must be arrays of one element type");
  require(is_unbounded(operand) || is_unbounded(result) ||
              operand.element_count() == result.element_count(),
          "reshape.C2",
          {"the operand has ", Count{operand.element_count(), "element"},
           " and the result ", result.element_count()},
          "they must have the same number");
  const auto inferred = reshape.get_or<int64_t>("inferred_dimension", 0);
  require(reshape.find("inferred_dimension") == nullptr ||
              (inferred >= 0 && inferred < result.rank()),
          "reshape.C3",
          {"inferred_dimension is ", inferred, " for the result ", result},
          "it must be one of its dimensions");
  return result;
}

Origin source(const Instruction& reshape, Operands, const Index& result) {
  return {0, delinearize(linearize(result, reshape.shape.dims),
                         reshape.operand_shape(0).dims)};
}

}  // namespace

extern constinit const Op op_reshape{
    .name = "reshape",
    .form = Form::kMovement,
    .min_operands = 1,
    .max_operands = 1,
    .attributes = kAttributes,
    .infer = infer,
    .source = source,
    .moving = {.operands = 1, .is_affine = true},
    .accuracy = {.moves_data = true},
    .fit = fit_reshape};

}  // namespace hlo
