#include "interpreter/rules/dimensions/scan_parts.h"

#include <algorithm>
#include <utility>

#include "interpreter/rules/sizes/sizes.h"

namespace hlo {
namespace {

/// One for each slice that all inputs have at run time.
int64_t steps_of(Operands inputs, int64_t d) {
  const auto at = static_cast<size_t>(d);
  int64_t steps = inputs[0].shape().dims[at];
  for (const Literal& input : inputs) {
    steps = std::min(steps, sizes_of(input)[at]);
  }
  return steps;
}

}  // namespace

ScanParts::ScanParts(const Instruction& scan, Operands operands)
    : body(scan.get<Computation*>("to_apply")),
      d(scan.get<Ints>("dimensions")[0]),
      is_reverse(scan.get_or<bool>("is_reverse", false)),
      gives_tuple(scan.shape.is_tuple()),
      carries(static_cast<size_t>(scan.get_or<int64_t>("num_carries", 0))) {
  inputs = operands.size() - carries;
  outputs = scan_shapes(scan.shape).size() - carries;
  steps = steps_of(operands.first(inputs), d);
}

std::vector<Literal> ScanParts::values_of(const Literal& returned) {
  if (returned.shape().is_tuple()) return returned.elements();
  return {returned};
}

Literal ScanParts::result(std::vector<Literal> values) const {
  return gives_tuple ? Literal::tuple(std::move(values)) : values.at(0);
}

Ints ScanParts::output_sizes(Ints slice) const {
  slice.insert(slice.begin() + d, steps);
  return slice;
}

std::vector<Shape> scan_shapes(const Shape& result) {
  if (result.is_tuple()) return result.tuple_shapes;
  return {result};
}

std::vector<Literal> first_values(const Instruction& scan, Operands operands,
                                  const ScanParts& parts) {
  std::vector<Literal> values;
  const std::vector<Shape> shapes = scan_shapes(scan.shape);
  for (size_t i = 0; i < parts.outputs; ++i) {
    const Shape& shape = shapes[i];
    Ints slice = shape.dims;
    slice.erase(slice.begin() + parts.d);
    values.emplace_back(shape);
    values.back().set_dynamic_sizes(parts.output_sizes(slice));
  }
  values.insert(values.end(),
                operands.begin() + static_cast<std::ptrdiff_t>(parts.inputs),
                operands.end());
  return values;
}

}  // namespace hlo
