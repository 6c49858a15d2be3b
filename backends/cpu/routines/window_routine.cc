#include "backends/cpu/routines/window_routine.h"

#include <algorithm>
#include <vector>

#include "backends/cpu/kernels/folds/fold_window_rows.h"
#include "backends/cpu/routines/fold_routines.h"
#include "backends/cpu/routines/regions/combining_region.h"

namespace hlo::cpu {
namespace {

// Padded rows take no more memory of a thread.
constexpr int64_t kMostNumbers = int64_t{1} << 22;
// Padded rows have no more numbers for each that is read or written: to fill
// them would take longer than all else.
constexpr int64_t kMostOfEach = 16;

/// Whether products of sizes and dilations can be computed.
bool is_usual(const WindowDimension& w) {
  constexpr int64_t kUsual = int64_t{1} << 20;
  const int64_t sizes[] = {w.size, w.stride,          w.low,
                           w.high, w.window_dilation, w.base_dilation};
  return !w.reversal && std::ranges::all_of(sizes, [](int64_t size) {
    return size >= -kUsual && size <= kUsual;
  });
}

bool is_mostly_padding(std::span<const WindowLine> lines) {
  const WindowLine& last = lines.back();
  int64_t used = last.input + last.output * last.window;
  for (const WindowLine& line : lines.first(lines.size() - 1)) {
    used = std::min(used, INT64_MAX / line.window) * line.window;
  }
  const int64_t numbers = window_row_numbers(lines);
  return numbers > kMostNumbers || numbers / kMostOfEach > used;
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
      is_mostly_padding(*lines)) {
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
