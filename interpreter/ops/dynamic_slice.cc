// spec/ops/dynamic_slice.md
#include "interpreter/error.h"
#include "interpreter/rules/dimensions/start_indices.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dynamic_slice_sizes", AttributeKind::kInts, /*required=*/true}};

Shape infer(const Instruction& slice) {
  const Shape& operand = slice.operand_shape(0);
  const auto& sizes = slice.get<Ints>("dynamic_slice_sizes");
  require(operand.is_array() &&
              static_cast<int64_t>(sizes.size()) == operand.rank(),
          "dynamic-slice.C1",
          {"dynamic_slice_sizes is ", sizes, " for the operand ", operand},
          "it must have one entry per dimension of an array");
  check_starts(slice, 1, operand.rank(), "dynamic-slice.C2");
  Shape result = Shape::array(operand.element_type, sizes);
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool bounded =
        operand.dims[d] == kUnbounded || sizes[d] <= operand.dims[d];
    require(
        sizes[d] >= 0 && bounded, "dynamic-slice.C3",
        {"the slice takes ", sizes[d], " of dimension ", d, " of ", operand},
        "the size must be from 0 to the dimension's");
    const auto dimension = static_cast<int64_t>(d);
    result.set_dynamic(dimension, sizes[d] == operand.dims[d] &&
                                      operand.is_dynamic(dimension));
  }
  return result;
}

Origin source(const Instruction& slice, Operands operands,
              const Index& result) {
  Index index = clamped_starts(operands, 1, slice.operand_shape(0).dims,
                               slice.shape.dims);
  for (size_t d = 0; d < result.size(); ++d) index[d] += result[d];
  return {0, index};
}

void fit(const Fitting& on) { fit_slice_sizes(on, "dynamic_slice_sizes"); }

}  // namespace

extern constinit const Op op_dynamic_slice{
    .name = "dynamic-slice",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .source = source,
    .moving = {.operands = 1, .is_affine = true},
    .accuracy = {.moves_data = true},
    .fit = fit};

}  // namespace hlo
