#include "backends/cpu/functions/normalization/batch_norm_functions.h"

#include <algorithm>

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/routines/batch_norm_routine.h"

namespace hlo::cpu {
namespace {

/// On arrays of f64 where any is, or else of f32.
ElementType computed_type(Operands operands) {
  return std::ranges::any_of(operands,
                             [](const Array* operand) {
                               return operand->shape.element_type ==
                                      ElementType::kF64;
                             })
             ? ElementType::kF64
             : ElementType::kF32;
}

Array normalized(const Instruction& instruction, Operands operands) {
  const ElementType type = computed_type(operands);
  std::vector<Array> own;
  std::vector<const std::byte*> from;
  own.reserve(operands.size());
  for (const Array* operand : operands) {
    own.push_back(converted(*operand, type));
    from.push_back(own.back().bytes.data());
  }
  // The operand may have other sizes at run time than the shapes say.
  std::vector<Array> results;
  std::vector<std::byte*> to;
  const std::vector<const Shape*> shapes = leaves(instruction.shape);
  for (const Shape* shape : shapes) {
    const size_t like = shape == shapes[0] ? 0 : 1;
    results.push_back(
        Array::unwritten(Shape::array(type, operands[like]->shape.dims)));
    to.push_back(results.back().bytes.data());
  }
  normalize_batch(instruction, operands[0]->shape.dims, type, from, to);
  for (size_t i = 0; i < results.size(); ++i) {
    results[i] = converted(results[i], shapes[i]->element_type);
  }
  return one_or_tuple(std::move(results));
}

}  // namespace

Functions batch_norm_functions() {
  return {{"batch-norm-training", normalized},
          {"batch-norm-inference", normalized},
          {"batch-norm-grad", normalized}};
}

}  // namespace hlo::cpu
