#include "backends/cpu/functions/linear/dot_functions.h"

#include <algorithm>

#include "backends/cpu/arrays/add_product.h"
#include "backends/cpu/arrays/contraction_form.h"
#include "backends/cpu/arrays/offsets.h"

namespace hlo::cpu {
namespace {

/// The offsets that a dot walks over in one operand.
struct Side {
  std::vector<int64_t> batch, free, contracted;

  /// The shape is that of the array, which may be smaller than it says.
  Side(const Instruction& dot, const Shape& shape, size_t operand) {
    const DotDimensions dimensions(dot, operand);
    batch = offsets(shape, dimensions.batch);
    free = offsets(shape, dimensions.free);
    contracted = offsets(shape, dimensions.contracted);
  }
};

/// The elements at all sums of a batch, an outer and an inner offset.
template <typename T>
std::vector<T> rearranged(const std::vector<T>& values,
                          const std::vector<int64_t>& batch,
                          const std::vector<int64_t>& outer,
                          const std::vector<int64_t>& inner) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const int64_t b : batch) {
    for (const int64_t o : outer) {
      for (const int64_t i : inner) {
        result.push_back(values[static_cast<size_t>(b + o + i)]);
      }
    }
  }
  return result;
}

Array dot(const Instruction& instruction, Operands operands) {
  const ElementType type = instruction.shape.element_type;
  const Side left(instruction, operands[0]->shape, 0);
  const Side right(instruction, operands[1]->shape, 1);
  const size_t rows = left.free.size();
  const size_t depth = left.contracted.size();
  const size_t columns = right.free.size();
  return with_host_type(type, [&](auto tag) {
    using T = decltype(tag);
    const std::vector<T> x = rearranged(operand_values<T>(*operands[0], type),
                                        left.batch, left.free, left.contracted);
    const std::vector<T> y =
        rearranged(operand_values<T>(*operands[1], type), right.batch,
                   right.contracted, right.free);
    std::vector<T> result(left.batch.size() * rows * columns);
    for (size_t b = 0; b < left.batch.size(); ++b) {
      add_product<T>({x.data() + b * rows * depth, depth}, rows, depth,
                     {y.data() + b * depth * columns, columns}, columns,
                     {result.data() + b * rows * columns, columns});
    }
    return store<T>(instruction.shape, result);
  });
}

}  // namespace

Functions dot_functions() { return {{"dot", dot}}; }

}  // namespace hlo::cpu
