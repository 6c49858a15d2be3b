#include "backends/cpu/devices/combination.h"

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/arrays/run_region.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/reducer.h"

namespace hlo::cpu {
namespace {

/// Two arrays joined by one operation.
Array apply(const Instruction& operation, const Shape& shape, const Array& x,
            const Array& y, const EngineCalls& calls) {
  Instruction whole = operation;
  whole.shape = shape;
  const Array* const operands[] = {&x, &y};
  return calls.run_one(whole, Operands(operands));
}

/// Whether sums and products in a wider type are nearer to the exact ones.
ElementType widened(std::string_view name, ElementType type) {
  const bool rounds = name == "add" || name == "multiply";
  if (rounds && is_float(type)) return ElementType::kF64;
  return name == "add" && is_complex(type) ? ElementType::kC128 : type;
}

/// The combiner is one operation of its parameters: it takes whole arrays.
Array combine_by_operation(const Instruction& operation,
                           const std::vector<const Array*>& arrays,
                           const EngineCalls& calls) {
  const ElementType type = operation.shape.element_type;
  const ElementType wide = widened(operation.op->name, type);
  const auto brought = [&](const Array& array) {
    return converted(converted(array, type), wide);
  };
  Array result = brought(*arrays[0]);
  const Shape shape = Shape::array(wide, arrays[0]->shape.dims);
  for (size_t i = 1; i < arrays.size(); ++i) {
    result = apply(operation, shape, result, brought(*arrays[i]), calls);
  }
  return converted(result, type);
}

/// Any combiner of scalars, element by element.
Array combine_elements(const Computation& combiner, const Array& x,
                       const Array& y, const EngineCalls& calls) {
  Array result(Shape::array(combiner.root->shape.element_type, x.shape.dims));
  for (int64_t i = 0; i < result.count(); ++i) {
    const Array a = element(x, i);
    const Array b = element(y, i);
    const Array* const arguments[] = {&a, &b};
    set_element(result, i, calls.run(combiner, Operands(arguments)));
  }
  return result;
}

Array combine_two(const Computation& combiner, const Array& x, const Array& y,
                  const EngineCalls& calls) {
  const Array a = converted(x, combiner.parameters[0]->shape.element_type);
  const Array b = converted(y, combiner.parameters[1]->shape.element_type);
  if (combiner.root->shape.is_scalar()) {
    return combine_elements(combiner, a, b, calls);
  }
  const Array* const arguments[] = {&a, &b};
  return calls.run(combiner, Operands(arguments));
}

}  // namespace

Array combination(const Computation& combiner,
                  const std::vector<const Array*>& arrays,
                  const EngineCalls& calls) {
  const Shape& returned = combiner.root->shape;
  require_evaluable(
      returned.is_scalar() || same_dims(returned, arrays[0]->shape),
      "collective.combiner",
      {"to_apply returns ", returned, " and the operands are ",
       arrays[0]->shape},
      "it must combine scalars, or whole operands");
  if (arrays.size() == 1) return *arrays[0];
  Array result = *arrays[0];
  if (calls.combine != nullptr) {
    result = calls.combine(combiner, arrays);
  } else if (!simple_region(combiner).empty()) {
    result = combine_by_operation(*combiner.root, arrays, calls);
  } else {
    for (size_t i = 1; i < arrays.size(); ++i) {
      result = combine_two(combiner, result, *arrays[i], calls);
    }
  }
  // Floats get the instruction's own type later.
  const ElementType type = arrays[0]->shape.element_type;
  return same_up_to_precision(type, result.shape.element_type)
             ? result
             : converted(result, type);
}

}  // namespace hlo::cpu
