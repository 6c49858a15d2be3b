#include "interpreter/sized.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "interpreter/plans/movement/movement.h"
#include "interpreter/run/evaluator.h"
#include "interpreter/sized_rules.h"

namespace hlo {
namespace {

bool is_sized(const Literal& array) { return !array.dynamic_sizes().empty(); }

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Copies the elements whose indices are below `sizes`.
Literal copied(const Literal& from, const Ints& sizes, const Shape& shape) {
  Literal to(shape);
  if (std::ranges::count(sizes, 0) > 0) return to;
  const Block block{.axes =
                        make_axes(sizes, row_major_strides(from.shape().dims),
                                  row_major_strides(shape.dims))};
  // Operand 1 is what the block leaves.
  const std::array<Literal, 2> operands = {from, std::move(to)};
  return apply(Movement{.fill_operand = 1, .blocks = {block}}, shape, operands);
}

/// The array of the elements whose indices are below `sizes`.
Literal trimmed(const Literal& array, const Ints& sizes) {
  const Shape shape = Shape::array(array.type(), sizes);
  if (sizes == array.shape().dims) {
    Literal whole = array.with_shape(shape);
    whole.set_dynamic_sizes({});
    return whole;
  }
  return copied(array, sizes, shape);
}

/// The sizes of `sizes` with the element types of `types`.
Shape with_types(const Shape& sizes, const Shape& types) {
  if (!sizes.is_tuple()) return Shape::array(types.element_type, sizes.dims);
  std::vector<Shape> elements;
  for (size_t i = 0; i < sizes.tuple_shapes.size(); ++i) {
    elements.push_back(
        with_types(sizes.tuple_shapes[i], types.tuple_shapes[i]));
  }
  return Shape::tuple(std::move(elements));
}

/// The shape that the operation's own rule gives to those sizes.
Shape infer_at_sizes(const Instruction& instruction) {
  try {
    return instruction.op->infer(instruction);
  } catch (const Error& error) {
    std::string sizes;
    for (const Instruction* operand : instruction.operands) {
      sizes += (sizes.empty() ? "" : ", ") + sizes_text(operand->shape.dims);
    }
    throw Error(Phase::kEvaluate, "evaluate.sizes",
                std::string(instruction.op->name) + " of arrays that are " +
                    sizes + " at run time breaks " + error.rule() + ": " +
                    error.message());
  }
}

}  // namespace

std::string sizes_text(const Ints& sizes) {
  std::string text;
  for (const int64_t size : sizes) {
    text += (text.empty() ? "" : ",") + std::to_string(size);
  }
  return "[" + text + "]";
}

Ints sizes_of(const Literal& array) {
  return is_sized(array) ? array.dynamic_sizes() : array.shape().dims;
}

Literal cut(const Literal& value) {
  if (value.shape().is_array()) return trimmed(value, sizes_of(value));
  if (!value.shape().is_tuple()) return value;
  std::vector<Literal> elements;
  for (const Literal& element : value.elements()) {
    elements.push_back(cut(element));
  }
  return Literal::tuple(std::move(elements));
}

Literal in_bounds(const Literal& value, const Shape& shape) {
  if (!shape.is_tuple()) {
    const Ints& sizes = value.shape().dims;
    if (!std::ranges::equal(sizes, shape.dims, std::less_equal{})) {
      throw std::logic_error("an array is larger than its bounds");
    }
    if (sizes == shape.dims) return value.with_shape(shape);
    Literal result = copied(value, sizes, shape);
    result.set_dynamic_sizes(sizes);
    return result;
  }
  std::vector<Literal> elements;
  for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
    elements.push_back(in_bounds(value.elements()[i], shape.tuple_shapes[i]));
  }
  return Literal::tuple(std::move(elements));
}

bool runs_at_sizes(const Instruction& instruction, Operands operands) {
  static constexpr std::string_view kOthers[] = {"add-dependency",
                                                 "copy",
                                                 "custom-call",
                                                 "domain",
                                                 "dynamic-reshape",
                                                 "get-dimension-size",
                                                 "opt-barrier",
                                                 "set-dimension-size",
                                                 "tuple"};
  const Op& op = *instruction.op;
  return op.kernel == nullptr && op.control == nullptr &&
         op.communicate == nullptr && std::ranges::any_of(operands, is_sized) &&
         !contains(kOthers, op.name);
}

SizedRun at_sizes(const Instruction& instruction, Operands operands) {
  SizedRun run{instruction, {operands.begin(), operands.end()}, {}};
  std::vector<Ints> sizes;
  for (const Literal& operand : operands) sizes.push_back(sizes_of(operand));
  fit(run.instruction, run.operands, sizes);
  for (size_t i = 0; i < sizes.size(); ++i) {
    auto parameter = std::make_unique<Instruction>(*instruction.operands[i]);
    if (operands[i].shape().is_array()) {
      parameter->shape = Shape::array(operands[i].type(), sizes[i]);
      run.operands[i] = trimmed(run.operands[i], sizes[i]);
    }
    run.instruction.operands[i] = parameter.get();
    run.parameters.push_back(std::move(parameter));
  }
  run.instruction.shape =
      with_types(infer_at_sizes(run.instruction), instruction.shape);
  return run;
}

Literal evaluate_at_sizes(const Instruction& instruction, Operands operands,
                          Evaluator& evaluator) {
  SizedRun run = at_sizes(instruction, operands);
  return in_bounds(evaluator.value(run.instruction, run.operands),
                   instruction.shape);
}

void inherit_sizes(Literal& result, Operands operands) {
  Ints least = result.shape().dims;
  for (const Literal& operand : operands) {
    if (!is_sized(operand)) continue;
    if (!same_dims(operand.shape(), result.shape())) continue;
    std::ranges::transform(least, operand.dynamic_sizes(), least.begin(),
                           [](int64_t a, int64_t b) { return std::min(a, b); });
  }
  result.set_dynamic_sizes(std::move(least));
}

}  // namespace hlo
