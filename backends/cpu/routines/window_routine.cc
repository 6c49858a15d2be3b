#include "backends/cpu/routines/window_routine.h"

#include <algorithm>
#include <vector>

#include "backends/cpu/kernels/folds/fold_window_rows.h"
#include "backends/cpu/routines/fold_routines.h"
#include "backends/cpu/routines/regions/combining_region.h"

namespace hlo::cpu {
namespace {

// A thread keeps no more: a window has them only far behind an array's end.
constexpr int64_t kMostNumbers = int64_t{1} << 22;

/// Whether products of sizes and dilations can be computed.
bool is_usual(const WindowDimension& w) {
  constexpr int64_t kUsual = int64_t{1} << 20;
  const int64_t sizes[] = {w.size, w.stride,          w.low,
                           w.high, w.window_dilation, w.base_dilation};
  return !w.reversal && std::ranges::all_of(sizes, [](int64_t size) {
    return size >= -kUsual && size <= kUsual;
  });
}

}  // namespace

std::optional<std::vector<WindowLine>> window_lines(const Window& window,
                                                    const Shape& operand,
                                                    const Shape& result) {
  if (window.dims.empty() || !std::ranges::all_of(window.dims, is_usual)) {
    return std::nullopt;
  }
  const Ints strides = row_major_strides(operand.dims);
  std::vector<WindowLine> lines;
  for (size_t d = 0; d < window.dims.size(); ++d) {
    const WindowDimension& w = window.dims[d];
    lines.push_back({operand.dims[d], w.size, result.dims[d], w.stride, w.low,
                     w.window_dilation, w.base_dilation, strides[d]});
  }
  return lines;
}

std::optional<Routine> window_routine(const Instruction& reduce_window) {
  if (std::optional<Routine> scan = scan_routine(reduce_window)) return scan;
  const AttributeValue* window = reduce_window.find("window");
  const Computation& region = *reduce_window.get<Computation*>("to_apply");
  if (window == nullptr || reduce_window.operands.size() != 2 ||
      !folds_in_one_type(reduce_window, region)) {
    return std::nullopt;
  }
  const Shape& operand = reduce_window.operand_shape(0);
  const auto how = combining_region(region, operand.element_type);
  const auto lines =
      window_lines(std::get<Window>(*window), operand, reduce_window.shape);
  if (!lines || !how || *how == Combine::kSecond ||
      (is_complex(operand.element_type) && *how != Combine::kAdd) ||
      window_row_numbers(*lines) > kMostNumbers) {
    return std::nullopt;
  }
  const ElementType type = combined_type(operand.element_type);
  Routine routine{[how = *how, type, lines = *lines](auto operands,
                                                     auto results) {
    fold_window_rows(how, type, lines, operands[0], operands[1], results[0]);
  }};
  routine.in_f32 = type != operand.element_type;
  return routine;
}

}  // namespace hlo::cpu
