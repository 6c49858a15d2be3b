// spec/ops/slice.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"slice", AttributeKind::kSlice, /*required=*/true}};

Shape infer(const Instruction& slice) {
  const Shape& operand = slice.operand_shape(0);
  const auto& ranges = slice.get<SliceConfig>("slice").dims;
  require(operand.is_array() &&
              static_cast<int64_t>(ranges.size()) == operand.rank(),
          "slice.C1",
          {"slice has ", Count{std::ssize(ranges), "range"},
           " for the operand ", operand},
          "it must have one per dimension of an array");
  Shape result = Shape::array(operand.element_type, operand.dims);
  for (size_t d = 0; d < ranges.size(); ++d) {
    const auto& [start, limit, stride] = ranges[d];
    const bool bounded =
        operand.dims[d] == kUnbounded || limit <= operand.dims[d];
    require(start >= 0 && start <= limit && bounded, "slice.C2",
            {"dimension ", d, " of ", operand, " is sliced from ", start,
             " to ", limit},
            "0 <= start <= limit <= size of the dimension must hold");
    require(stride >= 1, "slice.C3",
            {"the stride of dimension ", d, " is ", stride},
            "it must be at least 1");
    const int64_t size =
        (limit - start) / stride + ((limit - start) % stride != 0 ? 1 : 0);
    result.dims[d] = size;
    const auto dimension = static_cast<int64_t>(d);
    // A single element of a dynamic dimension is always there.
    result.set_dynamic(dimension, size != 1 && operand.is_dynamic(dimension));
  }
  return result;
}

Origin source(const Instruction& slice, Operands, const Index& result) {
  const auto& ranges = slice.get<SliceConfig>("slice").dims;
  Index index;
  for (size_t d = 0; d < result.size(); ++d) {
    index.push_back(ranges[d].start + result[d] * ranges[d].stride);
  }
  return {0, index};
}

/// What lies beyond the sizes is not there to be taken.
void fit(const Fitting& on) {
  auto slices = on.instruction.get<SliceConfig>("slice");
  for (size_t d = 0; d < on.sizes[0].size(); ++d) {
    SliceDimension& range = slices.dims[d];
    range.limit = std::min(range.limit, on.sizes[0][d]);
    range.start = std::min(range.start, range.limit);
  }
  on.change("slice", slices);
}

}  // namespace

extern constinit const Op op_slice{.name = "slice",
                                   .min_operands = 1,
                                   .max_operands = 1,
                                   .attributes = kAttributes,
                                   .infer = infer,
                                   .source = source,
                                   .moving = {.operands = 1, .is_affine = true},
                                   .accuracy = {.moves_data = true},
                                   .fit = fit};

}  // namespace hlo
