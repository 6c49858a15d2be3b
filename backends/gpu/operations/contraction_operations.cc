#include <algorithm>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/products.h"
#include "backends/gpu/operations/tiles.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/map_launch.h"

namespace hlo::gpu {
namespace {

Value run(Memory& memory, const Instruction& instruction,
          const Products& products, const Values& operands,
          const Value& result) {
  check_ranks(products.walk);
  if (operands.size() != 2) refuse(instruction, "sparse operands");
  if (launch_tiles(memory, products.walk, *operands[0], *operands[1],
                   products.rhs, result)) {
    return result;
  }
  launch_sums(memory, products.walk, *operands[0], operands[1], products.rhs,
              {}, result);
  return result;
}

Value dot(Memory& memory, const Instruction& instruction,
          const Values& operands) {
  return run(memory, instruction, products_of_dot(instruction), operands,
             new_array(memory, instruction.shape));
}

/// What a convolution's dimensions are.
struct Convolution {
  const Shape& lhs;
  const Shape& rhs;
  const Shape& result;
  const DimLabels& labels;
  Window window;
  int64_t feature_groups;
  int64_t batch_groups;

  explicit Convolution(const Instruction& instruction)
      : lhs(instruction.operand_shape(0)),
        rhs(instruction.operand_shape(1)),
        result(instruction.shape),
        labels(instruction.get<DimLabels>("dim_labels")),
        window(instruction.get_or("window", Window{})),
        feature_groups(instruction.get_or("feature_group_count", int64_t{1})),
        batch_groups(instruction.get_or("batch_group_count", int64_t{1})) {}
};

int64_t at(const Ints& list, int64_t d) { return list[static_cast<size_t>(d)]; }

/// The windows of the spatial dimensions, whose indices stand at `first` of the
/// walk, and whose taps are added.
void add_windows(Products& products, const Convolution& conv, int64_t first) {
  const Ints a = row_major_strides(conv.lhs.dims);
  const Ints b = row_major_strides(conv.rhs.dims);
  for (size_t d = 0; d < conv.window.dims.size(); ++d) {
    const WindowDimension& own = conv.window.dims[d];
    const int64_t in = conv.labels.input.spatial[d];
    const int64_t stride = at(b, conv.labels.kernel.spatial[d]);
    const int64_t tap = std::ssize(products.walk.tap_sizes);
    products.add_tap(own.size, 0, own.reversal ? -stride : stride);
    if (own.reversal) products.rhs.base += stride * (own.size - 1);
    products.walk.windows.push_back(
        {first + static_cast<int64_t>(d), tap, own.stride, own.window_dilation,
         own.low, own.base_dilation, at(conv.lhs.dims, in), at(a, in)});
  }
}

/// The result's dimensions are batch, group, feature in the group, space.
Products products_of_convolution(const Convolution& conv) {
  const Ints a = row_major_strides(conv.lhs.dims);
  const Ints b = row_major_strides(conv.rhs.dims);
  const int64_t batch_stride = at(a, conv.labels.input.batch_or_input);
  const int64_t feature_stride = at(a, conv.labels.input.feature);
  const int64_t output_stride = at(b, conv.labels.kernel.feature);
  const int64_t inputs = at(conv.rhs.dims, conv.labels.kernel.batch_or_input);
  const int64_t outputs = at(conv.rhs.dims, conv.labels.kernel.feature);
  const int64_t batch = at(conv.lhs.dims, conv.labels.input.batch_or_input);
  const int64_t groups = std::max(conv.feature_groups, conv.batch_groups);
  const int64_t group_batch = batch / conv.batch_groups;
  Products products;
  products.add_index(group_batch, batch_stride, 0);
  products.add_index(groups,
                     conv.batch_groups > 1 ? batch_stride * group_batch
                                           : feature_stride * inputs,
                     output_stride * (outputs / groups));
  products.add_index(outputs / groups, 0, output_stride);
  for (const int64_t d : conv.labels.output.spatial) {
    products.add_index(at(conv.result.dims, d), 0, 0);
  }
  add_windows(products, conv, 3);
  products.add_tap(inputs, feature_stride,
                   at(b, conv.labels.kernel.batch_or_input));
  return products;
}

/// The view of the result as batch, features, space.
Ints result_strides(const Convolution& conv) {
  const Ints own = row_major_strides(conv.result.dims);
  Ints strides = {at(own, conv.labels.output.batch_or_input),
                  at(own, conv.labels.output.feature)};
  for (const int64_t d : conv.labels.output.spatial) {
    strides.push_back(at(own, d));
  }
  return strides;
}

Value convolution(Memory& memory, const Instruction& instruction,
                  const Values& operands) {
  const Convolution conv(instruction);
  const bool has_unused = !conv.labels.input.unused.empty() ||
                          !conv.labels.kernel.unused.empty() ||
                          !conv.labels.output.unused.empty();
  if (has_unused) refuse(instruction, "dimensions without a label");
  Value result = new_array(memory, instruction.shape);
  if (result.shape.element_count() == 0) return result;
  const Products products = products_of_convolution(conv);
  Ints sizes = products.walk.sizes;
  sizes[1] *= sizes[2];
  sizes.erase(sizes.begin() + 2);
  const Value dense =
      new_array(memory, Shape::array(instruction.shape.element_type, sizes));
  run(memory, instruction, products, operands, dense);
  copy(memory, sizes, view_of(dense), view_of(result, result_strides(conv)));
  return result;
}

}  // namespace

Functions contraction_functions() {
  return {{"dot", dot}, {"convolution", convolution}};
}

}  // namespace hlo::gpu
