// spec/ops/select.md
#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

Shape infer(const Instruction& select) {
  const Shape& pred = select.operand_shape(0);
  const Shape& on_true = select.operand_shape(1);
  const Shape& on_false = select.operand_shape(2);
  require(pred.element_type == ElementType::kPred, "select.C1",
          {"the first operand is ", pred}, "it must be of type pred");
  const auto type = common_type(on_true.element_type, on_false.element_type);
  require(
      on_true.is_array() && on_false.is_array() && type.has_value() &&
          same_dims(on_true, on_false),
      "select.C2",
      {"the second and third operand are ", on_true, " and ", on_false},
      "they must be arrays of the same dimensions and element type, or both "
      "of floats");
  require(pred.is_scalar() || same_dims(pred, on_true), "select.C3",
          {"the first operand is ", pred, " and the others are ", on_true},
          "it must be a scalar or have their dimensions");
  Shape result = Shape::array(
      chosen_type(select, *type, is_float(on_true.element_type)), on_true.dims);
  for (size_t k = 0; k < 3; ++k) {
    add_dynamic_marks(result, select.operand_shape(k));
  }
  return result;
}

Scalar element(const Instruction& /*select*/, std::span<const Scalar> x) {
  return x[0].bits[0] != 0 ? x[1] : x[2];
}

}  // namespace

extern constinit const Op op_select{
    .name = "select",
    .min_operands = 3,
    .max_operands = 3,
    .infer = infer,
    .element = element,
    .accuracy = {.moves_data = true},
    .facts = {.formula = "{1} where {0} is true, else {2}",
              .behaviour = {Behaviour::Kind::kSelect}}};

}  // namespace hlo
