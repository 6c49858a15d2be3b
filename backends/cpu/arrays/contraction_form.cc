#include "backends/cpu/arrays/contraction_form.h"

#include <algorithm>
#include <string>

namespace hlo::cpu {
namespace {

bool has(const Ints& list, int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

}  // namespace

DotDimensions::DotDimensions(const Instruction& dot, size_t operand) {
  const std::string side = operand == 0 ? "lhs" : "rhs";
  batch = dot.get_or<Ints>(side + "_batch_dims", {});
  contracted = dot.get_or<Ints>(side + "_contracting_dims", {});
  for (int64_t d = 0; d < dot.operand_shape(operand).rank(); ++d) {
    if (!has(batch, d) && !has(contracted, d)) free.push_back(d);
  }
}

Ints features_last(const ConvolutionSide& side) {
  Ints order = {side.batch_or_input};
  order.insert(order.end(), side.spatial.begin(), side.spatial.end());
  order.push_back(side.feature);
  return order;
}

bool is_plain_convolution(const Instruction& convolution) {
  const auto& labels = convolution.get<DimLabels>("dim_labels");
  const auto window = convolution.get_or<Window>("window", {});
  const auto reverses = [](const WindowDimension& w) { return w.reversal; };
  return convolution.find("sparsity_config") == nullptr &&
         convolution.get_or<int64_t>("batch_group_count", 1) == 1 &&
         window.dims.size() == labels.input.spatial.size() &&
         labels.input.unused.empty() && labels.kernel.unused.empty() &&
         labels.output.unused.empty() &&
         std::ranges::none_of(window.dims, reverses);
}

Ints inverse(const Ints& order) {
  Ints back(order.size());
  for (size_t d = 0; d < order.size(); ++d) {
    back[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
  }
  return back;
}

}  // namespace hlo::cpu
