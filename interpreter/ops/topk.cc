// spec/ops/topk.md
#include "interpreter/error.h"
#include "interpreter/plans/sort/sorting.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"k", AttributeKind::kInt, true},
    {"largest", AttributeKind::kBool},
    {"is_stable", AttributeKind::kBool},
};

Shape infer(const Instruction& topk) {
  const Shape& operand = topk.operand_shape(0);
  const auto k = topk.get<int64_t>("k");
  require(operand.is_array() && operand.rank() >= 1, "topk.C1",
          {"the operand is ", operand},
          "it must be an array with at least one dimension");
  require(!is_complex(operand.element_type), "topk.C2",
          {"the elements are ", operand.element_type},
          "they must be in an order");
  require(
      k >= 0 && (k <= operand.dims.back() || operand.dims.back() == kUnbounded),
      "topk.C3", {"k is ", k, " for the operand ", operand},
      "it must be from 0 to the size of the last dimension");
  Shape values = Shape::array(operand.element_type, operand.dims);
  for (int64_t d = 0; d + 1 < operand.rank(); ++d) {
    if (operand.is_dynamic(d)) values.set_dynamic(d, true);
  }
  values.dims.back() = k;
  Shape indices = values;
  indices.element_type = ElementType::kS32;
  return Shape::tuple({values, indices});
}

Literal eval(const Instruction& topk, Operands operands, Evaluator& evaluator) {
  const Literal& operand = operands[0];
  const Lines lines = lines_along(operand.shape(), operand.shape().rank() - 1);
  const auto k = topk.get<int64_t>("k");
  const auto order = sort_total_order(
      lines, operand, topk.get_or("largest", true), k, evaluator);
  Literal values(topk.shape.tuple_shapes[0]);
  Literal indices(topk.shape.tuple_shapes[1]);
  for (int64_t i = 0; i < values.element_count(); ++i) {
    const int64_t line = i / k;
    const int64_t place = order[static_cast<size_t>(line * lines.size + i % k)];
    values.set(i, operand.at(line * lines.size + place));
    indices.mutable_data<int32_t>()[static_cast<size_t>(i)] =
        static_cast<int32_t>(place);
  }
  return Literal::tuple({std::move(values), std::move(indices)});
}

}  // namespace

extern constinit const Op op_topk{.name = "topk",
                                  .min_operands = 1,
                                  .max_operands = 1,
                                  .attributes = kAttributes,
                                  .infer = infer,
                                  .eval = eval,
                                  .accuracy = {.moves_data = true}};

}  // namespace hlo
