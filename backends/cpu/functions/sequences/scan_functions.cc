#include "backends/cpu/functions/sequences/scan_functions.h"

#include <algorithm>

#include "backends/cpu/arrays/converted.h"
#include "interpreter/error.h"

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

/// The sizes, where they are given, but for that of the dimension.
Ints other_sizes(Ints sizes, size_t dimension) {
  if (!sizes.empty()) {
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(dimension));
  }
  return sizes;
}

Array slice_of(const Array& array, size_t dimension, size_t step) {
  Shape shape = Shape::array(array.shape.element_type, array.shape.dims);
  shape.dims.erase(shape.dims.begin() + static_cast<std::ptrdiff_t>(dimension));
  Array slice(shape);
  slice.sizes = other_sizes(array.sizes, dimension);
  if (slice.sizes == shape.dims) slice.sizes.clear();
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

/// How many steps there are: the least of the inputs' sizes at run time.
int64_t steps_of(Operands inputs, size_t dimension) {
  int64_t steps = inputs[0]->shape.dims[dimension];
  for (const Array* input : inputs) {
    if (input->sizes.empty()) continue;
    steps = std::min(steps, input->sizes[dimension]);
  }
  return steps;
}

/// The sizes of an output: so many steps of slices like `slice`, which it has
/// from an earlier step already unless this is the first one.
void set_output_sizes(Array& output, size_t dimension, int64_t steps,
                      const Array& slice, bool is_first) {
  Ints sizes = slice.sizes.empty() ? slice.shape.dims : slice.sizes;
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(dimension), steps);
  if (sizes == output.shape.dims) sizes.clear();
  require_evaluable(
      is_first || sizes == output.sizes, "evaluate.sizes",
      {"scan: the slices of an output have several sizes at run time"},
      "they must have one");
  output.sizes = std::move(sizes);
}

/// The outputs before any step, of which those of no step have no elements.
std::vector<Array> first_outputs(std::span<const Shape> shapes,
                                 size_t dimension, int64_t steps) {
  std::vector<Array> outputs;
  for (const Shape& shape : shapes) {
    outputs.push_back(zeros(shape));
    if (steps == shape.dims[dimension]) continue;
    outputs.back().sizes = shape.dims;
    outputs.back().sizes[dimension] = steps;
  }
  return outputs;
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

/// What a scan takes and gives.
struct Scan {
  const Computation& body;
  size_t d;  // the dimension of the slices
  bool is_reverse;
  size_t inputs;
  size_t outputs;
  size_t steps;
  std::vector<Array> results;  // outputs, then carries

  Scan(const Instruction& instruction, Operands operands)
      : body(*instruction.get<Computation*>("to_apply")),
        d(static_cast<size_t>(instruction.get<Ints>("dimensions").at(0))),
        is_reverse(instruction.get_or<bool>("is_reverse", false)) {
    const auto carries =
        static_cast<size_t>(instruction.get<int64_t>("num_carries"));
    const Shape& shape = instruction.shape;
    const std::vector<Shape> shapes =
        shape.is_tuple() ? shape.tuple_shapes : std::vector<Shape>{shape};
    inputs = operands.size() - carries;
    outputs = shapes.size() - carries;
    const int64_t count = steps_of(operands.first(inputs), d);
    steps = static_cast<size_t>(count);
    results = first_outputs(std::span(shapes).first(outputs), d, count);
    for (const Array* carry : operands.subspan(inputs)) {
      results.push_back(*carry);
    }
  }

  void run_step(size_t step, Operands operands, const Run& run) {
    const size_t at = is_reverse ? steps - 1 - step : step;
    std::vector<Array> slices;
    for (const Array* input : operands.first(inputs)) {
      slices.push_back(slice_of(*input, d, at));
    }
    std::vector<const Array*> arguments;
    for (const Array& slice : slices) arguments.push_back(&slice);
    for (size_t k = outputs; k < results.size(); ++k) {
      arguments.push_back(&results[k]);
    }
    std::vector<Array> values = parts_of(run(body, arguments), results.size());
    for (size_t k = 0; k < outputs; ++k) {
      set_output_sizes(results[k], d, static_cast<int64_t>(steps), values[k],
                       step == 0);
      set_slice(results[k], d, at, values[k]);
    }
    for (size_t k = outputs; k < results.size(); ++k) {
      results[k] = std::move(values[k]);
    }
  }
};

Array scan(const Instruction& instruction, Operands operands, const Run& run) {
  Scan state(instruction, operands);
  for (size_t step = 0; step < state.steps; ++step) {
    state.run_step(step, operands, run);
  }
  Array value = instruction.shape.is_tuple()
                    ? tuple_of(std::move(state.results))
                    : std::move(state.results.at(0));
  return with_float_types(std::move(value), instruction.shape);
}

}  // namespace

Callers scan_functions() { return {{"scan", scan}}; }

}  // namespace hlo::cpu
