#include "interpreter/rules/dimensions/window.h"

#include <optional>

#include "interpreter/error.h"

namespace hlo {
namespace {

constexpr int64_t kMost = int64_t{1} << 60;  // sums of a few do not overflow

/// (size - 1) * dilation + 1, and 0 for 0; nothing beyond kMost.
std::optional<int64_t> dilate(int64_t size, int64_t dilation) {
  int64_t result = 0;
  if (size == 0) return 0;
  if (__builtin_mul_overflow(size - 1, dilation, &result) || result >= kMost) {
    return std::nullopt;
  }
  return result + 1;
}

std::optional<int64_t> padded(int64_t size, const WindowDimension& window) {
  const auto base = dilate(size, window.base_dilation);
  if (!base || window.low < -kMost || window.low > kMost ||
      window.high < -kMost || window.high > kMost) {
    return std::nullopt;
  }
  return *base + window.low + window.high;
}

}  // namespace

int64_t window_places(int64_t size, const WindowDimension& window,
                      const WindowRules& rules) {
  require(window.size >= 1, rules.size, {"a window has the size ", window.size},
          "sizes must be at least 1");
  require(window.stride >= 1, rules.stride,
          {"a window has the stride ", window.stride},
          "strides must be at least 1");
  require(window.base_dilation >= 1 && window.window_dilation >= 1,
          rules.dilation,
          {"a window has the dilations ", window.base_dilation, " and ",
           window.window_dilation},
          "dilations must be at least 1");
  const auto extent = dilate(window.size, window.window_dilation);
  if (size == kUnbounded) return kUnbounded;
  const auto space = padded(size, window);
  require(extent.has_value() && space.has_value(), rules.extent,
          {"a window of ", window.size, " dilated by ", window.window_dilation,
           " over ", size, " dilated by ", window.base_dilation, ", padded by ",
           window.low, " and ", window.high, ", is too large"},
          "paddings and dilated sizes can be at most 2^60");
  return *extent > *space ? 0 : (*space - *extent) / window.stride + 1;
}

Shape infer_window(const Shape& shape, const Window& window,
                   const WindowRules& rules) {
  require(window.dims.size() == shape.dims.size(), rules.rank,
          {"the window has ", Count{std::ssize(window.dims), "dimension"},
           " for the operand ", shape},
          "it must have one per dimension of the operand");
  Shape result = Shape::array(shape.element_type, shape.dims);
  result.dynamic = shape.dynamic;
  for (size_t d = 0; d < shape.dims.size(); ++d) {
    result.dims[d] = window_places(shape.dims[d], window.dims[d], rules);
  }
  return result;
}

}  // namespace hlo
