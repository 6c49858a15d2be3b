#include "backends/cpu/arrays/run_region.h"

#include <cstring>

#include "backends/cpu/arrays/converted.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {

Array element(const Array& array, int64_t position) {
  Array scalar(Shape::scalar(array.shape.element_type));
  std::memcpy(
      scalar.bytes.data(),
      array.bytes.data() + static_cast<size_t>(position) * array.width(),
      array.width());
  return scalar;
}

void set_element(Array& array, int64_t position, const Array& scalar) {
  if (scalar.shape.element_type != array.shape.element_type) {
    const Array same = converted(scalar, array.shape.element_type);
    set_element(array, position, same);
    return;
  }
  std::memcpy(
      array.bytes.data() + static_cast<size_t>(position) * array.width(),
      scalar.bytes.data(), array.width());
}

std::vector<Array> run_region(const Run& run, const Computation& region,
                              const std::vector<Array>& arguments) {
  std::vector<const Array*> places;
  places.reserve(arguments.size());
  for (const Array& argument : arguments) places.push_back(&argument);
  Array value = run(region, places);
  if (value.shape.is_tuple()) return std::move(value.elements);
  std::vector<Array> one;
  one.push_back(std::move(value));
  return one;
}

bool holds(const Run& run, const Computation& region,
           const std::vector<Array>& arguments) {
  return run_region(run, region, arguments).at(0).bytes.at(0) != std::byte{0};
}

std::string_view simple_region(const Computation& region) {
  const Instruction& root = *region.root;
  if (region.parameters.size() != 2 || region.instructions.size() != 3 ||
      root.operands.size() != 2 || root.operands[0] == root.operands[1]) {
    return {};
  }
  const std::string_view name = root.op->name;
  const bool commutes = name == "add" || name == "multiply" ||
                        name == "maximum" || name == "minimum";
  return commutes || root.operands[0] == region.parameters[0]
             ? name
             : std::string_view();
}

Array joined(const Shape& shape, std::vector<Array> values) {
  if (!shape.is_tuple()) return std::move(values.at(0));
  Array tuple(shape);
  tuple.elements = std::move(values);
  return tuple;
}

int64_t window_cell(const Shape& operand, const Window& window,
                    const Index& place, const Index& tap) {
  int64_t position = 0;
  for (size_t d = 0; d < place.size(); ++d) {
    const WindowDimension& w = window.dims[d];
    const int64_t at = place[d] * w.stride + tap[d] * w.window_dilation - w.low;
    if (at < 0 || at % w.base_dilation != 0) return -1;
    if (at / w.base_dilation >= operand.dims[d]) return -1;
    position = position * operand.dims[d] + at / w.base_dilation;
  }
  return position;
}

std::vector<int64_t> window_sizes(const Window& window) {
  std::vector<int64_t> sizes;
  for (const WindowDimension& w : window.dims) sizes.push_back(w.size);
  return sizes;
}

}  // namespace hlo::cpu
