#include "interpreter/rules/reducer.h"

#include "interpreter/error.h"

namespace hlo {
namespace {

/// The scalars that a region returns: one, or the elements of a tuple.
std::vector<const Shape*> results(const Computation& region) {
  return leaves(region.root->shape);
}

void check_inputs(const Instruction& instruction, size_t inputs,
                  const ReducerRules& rules) {
  const Shape& first = instruction.operand_shape(0);
  for (size_t i = 0; i < inputs; ++i) {
    const Shape& input = instruction.operand_shape(i);
    require(input.is_array() && same_dims(input, first), rules.inputs,
            {"input ", i, " is ", input, " and input 0 ", first},
            "the inputs must be arrays of the same dimensions");
    require(
        instruction.operand_shape(inputs + i).is_scalar(), rules.inits,
        {"initial value ", i, " is ", instruction.operand_shape(inputs + i)},
        "it must be a scalar");
  }
}

void check_signature(const Computation& reducer, size_t inputs,
                     const ReducerRules& rules) {
  require(
      reducer.parameters.size() == 2 * inputs, rules.parameters,
      {"the reducer takes ", Count{std::ssize(reducer.parameters), "argument"},
       " for ", Count{static_cast<int64_t>(inputs), "input"}},
      "it must take two scalars for each input");
  for (const Instruction* parameter : reducer.parameters) {
    require(parameter->shape.is_scalar(), rules.parameters,
            {"the reducer takes ", ParameterShapes{reducer}},
            "it must take two scalars for each input");
  }
  const auto scalars = results(reducer);
  require(scalars.size() == inputs, rules.result,
          {"the reducer returns ", reducer.root->shape, " for ",
           Count{static_cast<int64_t>(inputs), "input"}},
          "it must return one scalar for each input");
  for (const Shape* scalar : scalars) {
    require(scalar->is_scalar(), rules.result,
            {"the reducer returns ", reducer.root->shape},
            "it must return one scalar for each input");
  }
}

void check_types(const Instruction& instruction, const Computation& reducer,
                 size_t inputs, const ReducerRules& rules) {
  for (size_t i = 0; i < inputs; ++i) {
    const ElementType result = results(reducer)[i]->element_type;
    const auto fits = [&](const Shape& shape) {
      return same_up_to_precision(shape.element_type, result);
    };
    require(reducer.parameters[i]->shape.element_type == result, rules.types,
            {"parameter ", i, " of the reducer is ",
             reducer.parameters[i]->shape, " and its result ", result},
            "they must have one type");
    require(fits(reducer.parameters[inputs + i]->shape) &&
                fits(instruction.operand_shape(i)) &&
                fits(instruction.operand_shape(inputs + i)),
            rules.types,
            {"input ", i, " is ", instruction.operand_shape(i),
             ", its initial value ", instruction.operand_shape(inputs + i),
             " and the reducer's result ", result},
            "they must have one type, but for the precision of floats");
  }
}

}  // namespace

bool same_up_to_precision(ElementType a, ElementType b) {
  return a == b || (is_float(a) && is_float(b));
}

int64_t check_reduction(const Instruction& instruction,
                        const Computation& reducer, const ReducerRules& rules) {
  const size_t operands = instruction.operands.size();
  require(operands >= 2 && operands % 2 == 0, rules.operands,
          {"there are ", Count{std::ssize(instruction.operands), "operand"}},
          "they must be inputs, then as many initial values");
  const size_t inputs = operands / 2;
  check_inputs(instruction, inputs, rules);
  check_signature(reducer, inputs, rules);
  check_types(instruction, reducer, inputs, rules);
  return static_cast<int64_t>(inputs);
}

Shape reduction_shape(const Computation& reducer, const Shape& dims) {
  std::vector<Shape> arrays;
  for (const Shape* scalar : results(reducer)) {
    arrays.push_back(dims);
    arrays.back().element_type = scalar->element_type;
  }
  return reducer.root->shape.is_tuple() ? Shape::tuple(std::move(arrays))
                                        : arrays[0];
}

}  // namespace hlo
