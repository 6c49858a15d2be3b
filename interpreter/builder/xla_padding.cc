#include "interpreter/builder/xla_padding.h"

#include <algorithm>

#include "interpreter/error.h"

namespace hlo::builder {
namespace {

// Beyond this every window is refused, and below it nothing overflows.
constexpr int64_t kLargest = int64_t{1} << 60;

void require_length(size_t length, size_t rank) {
  require(length == rank, "builder.C5",
          {"a list has ", length, " entries for rank ", rank},
          "lists that go together must have one length");
}

/// (places - 1) * stride + window - size elements in all, if positive.
std::pair<int64_t, int64_t> same_padding(int64_t size, int64_t window,
                                         int64_t stride) {
  const auto is_window = [](int64_t n) { return n >= 1 && n <= kLargest; };
  if (!is_window(size) || !is_window(window) || !is_window(stride)) return {};
  const int64_t steps = (size - 1) / stride;  // one less than the places
  const int64_t padding = std::max<int64_t>(steps * stride + window - size, 0);
  return {padding / 2, padding - padding / 2};
}

template <typename List, typename Value>
void set(Window& window, const List& list, const Value& value) {
  if (list.empty()) return;
  require_length(list.size(), window.dims.size());
  for (size_t d = 0; d < list.size(); ++d) value(window.dims[d], list[d]);
}

}  // namespace

PaddingPairs MakePadding(const Ints& sizes, const Ints& windows,
                         const Ints& strides, Padding padding) {
  require_length(windows.size(), sizes.size());
  if (!strides.empty()) require_length(strides.size(), sizes.size());
  PaddingPairs pairs(sizes.size());
  if (padding == Padding::kValid) return pairs;
  for (size_t d = 0; d < sizes.size(); ++d) {
    pairs[d] =
        same_padding(sizes[d], windows[d], strides.empty() ? 1 : strides[d]);
  }
  return pairs;
}

Window MakeWindow(const Ints& sizes, const WindowMoves& moves) {
  Window window;
  for (const int64_t size : sizes) window.dims.push_back({.size = size});
  using Dim = WindowDimension;
  set(window, moves.strides, [](Dim& dim, int64_t n) { dim.stride = n; });
  set(window, moves.padding, [](Dim& dim, std::pair<int64_t, int64_t> pair) {
    dim.low = pair.first;
    dim.high = pair.second;
  });
  set(window, moves.base_dilations,
      [](Dim& dim, int64_t n) { dim.base_dilation = n; });
  set(window, moves.window_dilations,
      [](Dim& dim, int64_t n) { dim.window_dilation = n; });
  set(window, moves.reversal, [](Dim& dim, bool is) { dim.reversal = is; });
  return window;
}

}  // namespace hlo::builder
