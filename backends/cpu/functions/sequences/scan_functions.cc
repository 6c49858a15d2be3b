#include "backends/cpu/functions/sequences/scan_functions.h"

#include <algorithm>

#include "backends/cpu/arrays/converted.h"

namespace hlo::cpu {
namespace {

/// The slices of an array along a dimension: `outer` runs of `bytes` in each.
struct Slices {
  size_t outer = 1;
  size_t steps = 0;
  size_t bytes = 0;

  Slices(const Array& array, size_t dimension) {
    for (size_t d = 0; d < dimension; ++d) {
      outer *= static_cast<size_t>(array.shape.dims[d]);
    }
    steps = static_cast<size_t>(array.shape.dims[dimension]);
    if (outer * steps > 0) bytes = array.bytes.size() / (outer * steps);
  }

  std::ptrdiff_t at(size_t run, size_t step) const {
    return static_cast<std::ptrdiff_t>((run * steps + step) * bytes);
  }
};

Array slice_of(const Array& array, size_t dimension, size_t step) {
  Shape shape = Shape::array(array.shape.element_type, array.shape.dims);
  shape.dims.erase(shape.dims.begin() + static_cast<std::ptrdiff_t>(dimension));
  Array slice(shape);
  const Slices slices(array, dimension);
  auto to = slice.bytes.begin();
  for (size_t run = 0; run < slices.outer; ++run) {
    to = std::copy_n(array.bytes.begin() + slices.at(run, step), slices.bytes,
                     to);
  }
  return slice;
}

void set_slice(Array& array, size_t dimension, size_t step,
               const Array& slice) {
  if (slice.shape.element_type != array.shape.element_type) {
    return set_slice(array, dimension, step,
                     converted(slice, array.shape.element_type));
  }
  const Slices slices(array, dimension);
  auto from = slice.bytes.begin();
  for (size_t run = 0; run < slices.outer; ++run) {
    std::copy_n(from, slices.bytes, array.bytes.begin() + slices.at(run, step));
    from += static_cast<std::ptrdiff_t>(slices.bytes);
  }
}

/// What a computation returned, whether or not it is a tuple.
std::vector<Array> parts_of(Array value, size_t count) {
  const bool is_tuple =
      value.shape.is_tuple() && value.elements.size() == count;
  if (is_tuple) return std::move(value.elements);
  std::vector<Array> one;
  one.push_back(std::move(value));
  return one;
}

Array scan(const Instruction& instruction, Operands operands, const Run& run) {
  const auto carries =
      static_cast<size_t>(instruction.get<int64_t>("num_carries"));
  const auto d = static_cast<size_t>(instruction.get<Ints>("dimensions").at(0));
  const bool is_reverse = instruction.get_or<bool>("is_reverse", false);
  const Computation& body = *instruction.get<Computation*>("to_apply");
  const size_t inputs = operands.size() - carries;
  const Shape& shape = instruction.shape;
  const std::vector<Shape> shapes =
      shape.is_tuple() ? shape.tuple_shapes : std::vector<Shape>{shape};
  const size_t outputs = shapes.size() - carries;
  std::vector<Array> results;
  for (size_t k = 0; k < outputs; ++k) results.push_back(zeros(shapes[k]));
  for (size_t k = 0; k < carries; ++k) {
    results.push_back(*operands[inputs + k]);
  }
  const auto steps = static_cast<size_t>(operands[0]->shape.dims[d]);
  for (size_t step = 0; step < steps; ++step) {
    const size_t at = is_reverse ? steps - 1 - step : step;
    std::vector<Array> slices;
    for (size_t k = 0; k < inputs; ++k) {
      slices.push_back(slice_of(*operands[k], d, at));
    }
    std::vector<const Array*> arguments;
    for (const Array& slice : slices) arguments.push_back(&slice);
    for (size_t k = outputs; k < results.size(); ++k) {
      arguments.push_back(&results[k]);
    }
    std::vector<Array> values = parts_of(run(body, arguments), shapes.size());
    for (size_t k = 0; k < outputs; ++k)
      set_slice(results[k], d, at, values[k]);
    for (size_t k = outputs; k < shapes.size(); ++k) {
      results[k] = std::move(values[k]);
    }
  }
  Array value = shape.is_tuple() ? tuple_of(std::move(results))
                                 : std::move(results.at(0));
  return with_float_types(std::move(value), shape);
}

}  // namespace

Callers scan_functions() { return {{"scan", scan}}; }

}  // namespace hlo::cpu
