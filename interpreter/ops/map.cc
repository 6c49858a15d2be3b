// spec/ops/map.md
#include <numeric>

#include "interpreter/definition/generate.h"
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts},
    {"to_apply", AttributeKind::kComputation, /*required=*/true}};

bool are_all_dimensions(const Ints& dimensions, int64_t rank) {
  Ints all(static_cast<size_t>(rank));
  std::iota(all.begin(), all.end(), 0);
  return dimensions == all;
}

Shape infer(const Instruction& map) {
  const auto* callee = map.get<Computation*>("to_apply");
  const Shape& first = map.operand_shape(0);
  std::vector<Shape> scalars;
  for (const Shape& operand : operand_shapes(map)) {
    require(operand.is_array() && operand.dims == first.dims, "map.C1",
            {"the operands are ", OperandShapes{map}},
            "they must be arrays of the same dimensions");
    scalars.push_back(Shape::scalar(operand.element_type));
  }
  const Ints dimensions = map.get_or<Ints>("dimensions", {});
  require(
      dimensions.empty() || are_all_dimensions(dimensions, first.rank()),
      "map.C2",
      {"dimensions is ", dimensions, " for operands of rank ", first.rank()},
      "these must be all dimensions, in order");
  require_takes(*callee, scalars, "map.C3");
  require(callee->root->shape.is_scalar(), "map.C4",
          {"the computation returns ", callee->root->shape},
          "it must return a scalar");
  Shape result = first;
  result.element_type = callee->root->shape.element_type;
  return result;
}

Literal value(const Instruction& map, Operands operands, Evaluator& evaluator) {
  const Computation& callee = *map.get<Computation*>("to_apply");
  return definition::generate(map.shape, [&](const Index& index) {
    std::vector<Literal> arguments;
    for (const Literal& operand : operands) {
      arguments.push_back(Literal::of(operand.at(index)));
    }
    return evaluator.call(callee, std::move(arguments)).scalar();
  });
}

}  // namespace

extern constinit const Op op_map{.name = "map",
                                 .form = Form::kMap,
                                 .min_operands = 1,
                                 .max_operands = -1,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .value = value,
                                 .accuracy = {.kind = Accuracy::Kind::kInherit},
                                 .fit = fit_alike};

}  // namespace hlo
