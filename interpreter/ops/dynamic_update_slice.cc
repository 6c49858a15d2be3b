// spec/ops/dynamic_update_slice.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/dimensions/start_indices.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

Shape infer(const Instruction& dus) {
  const Shape& operand = dus.operand_shape(0);
  const Shape& update = dus.operand_shape(1);
  require(operand.is_array() && update.is_array() &&
              common_type(operand.element_type, update.element_type),
          "dynamic-update-slice.C1",
          {"the operand is ", operand, " and the update ", update},
          "both must be arrays of one element type, or of floats");
  require(!dus.has_shape || dus.shape.element_type == operand.element_type,
          "dynamic-update-slice.C1",
          {"the operand is ", operand, " and the result ", dus.shape},
          "they must have one element type");
  require(update.rank() == operand.rank(), "dynamic-update-slice.C2",
          {"the operand is ", operand, " and the update ", update},
          "they must have as many dimensions");
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    require(operand.dims[d] == kUnbounded || update.dims[d] <= operand.dims[d],
            "dynamic-update-slice.C3",
            {"dimension ", d, " of the update is ", update.dims[d],
             " and of the operand ", operand.dims[d]},
            "the update must not be larger");
  }
  check_starts(dus, 2, operand.rank(), "dynamic-update-slice.C4");
  return operand;
}

Origin source(const Instruction& dus, Operands operands, const Index& result) {
  const Shape& update = dus.operand_shape(1);
  const Index starts = clamped_starts(operands, 2, dus.shape.dims, update.dims);
  Index index = result;
  for (size_t d = 0; d < result.size(); ++d) index[d] -= starts[d];
  return update.contains(index) ? Origin{1, index} : Origin{0, result};
}

/// The update is at most as long as what it is written into.
void fit(const Fitting& on) {
  std::ranges::transform(on.sizes[1], on.sizes[0], on.sizes[1].begin(),
                         [](int64_t a, int64_t b) { return std::min(a, b); });
}

}  // namespace

extern constinit const Op op_dynamic_update_slice{
    .name = "dynamic-update-slice",
    .min_operands = 2,
    .max_operands = -1,
    .infer = infer,
    .source = source,
    .moving = {.operands = 2},
    .accuracy = {.moves_data = true},
    .fit = fit};

}  // namespace hlo
