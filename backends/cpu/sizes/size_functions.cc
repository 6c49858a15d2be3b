#include "backends/cpu/sizes/size_functions.h"

#include <algorithm>

#include "backends/cpu/sizes/sized_instruction.h"

namespace hlo::cpu {
namespace {

Array set_dimension_size(const Instruction& instruction, Operands operands) {
  const int64_t dimension = instruction.get<Ints>("dimensions").at(0);
  const auto d = static_cast<size_t>(dimension);
  Ints sizes = sizes_of(*operands[0]);
  const int64_t bound = instruction.shape.dims[d];
  sizes[d] = instruction.shape.is_dynamic(dimension)
                 ? std::clamp<int64_t>(integer(*operands[1], 0), 0, bound)
                 : bound;
  Array result = *operands[0];
  result.shape = instruction.shape;
  set_sizes(result, std::move(sizes));
  return result;
}

/// Modulo 2^32.
Array get_dimension_size(const Instruction& instruction, Operands operands) {
  const auto d = static_cast<size_t>(instruction.get<Ints>("dimensions").at(0));
  const std::vector<int64_t> size = {sizes_of(*operands[0])[d]};
  return store<int64_t>(instruction.shape, size);
}

/// The elements that exist, laid side by side; zeros where there are too few.
Array dynamic_reshape(const Instruction& instruction, Operands operands) {
  const Shape& shape = instruction.shape;
  Ints sizes = shape.dims;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!shape.is_dynamic(static_cast<int64_t>(d))) continue;
    sizes[d] =
        std::clamp<int64_t>(integer(*operands[d + 1], 0), 0, shape.dims[d]);
  }
  const Array present = cut(*operands[0]);
  Array result(Shape::array(shape.element_type, sizes));
  std::copy_n(present.bytes.begin(),
              std::min(present.bytes.size(), result.bytes.size()),
              result.bytes.begin());
  return in_bounds(std::move(result), shape);
}

}  // namespace

Functions size_functions() {
  return {{"set-dimension-size", set_dimension_size},
          {"get-dimension-size", get_dimension_size},
          {"dynamic-reshape", dynamic_reshape}};
}

}  // namespace hlo::cpu
