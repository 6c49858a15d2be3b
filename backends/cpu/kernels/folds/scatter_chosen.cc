#include "backends/cpu/kernels/folds/scatter_chosen.h"

#include <algorithm>
#include <vector>

#include "backends/cpu/kernels/view.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPlacesTogether = 256;

template <typename T>
auto comparable(T number) {
  if constexpr (std::is_arithmetic_v<T>) return number;
  if constexpr (!std::is_arithmetic_v<T>) return static_cast<float>(number);
}

template <typename T>
bool stays(Choice choice, T chosen, T next) {
  const auto x = comparable(chosen);
  const auto y = comparable(next);
  switch (choice) {
    case Choice::kLess:
      return x < y;
    case Choice::kAtMost:
      return x <= y;
    case Choice::kGreater:
      return x > y;
    default:
      return x >= y;
  }
}

/// The cell that is chosen; -1 are those outside of the array, and where all
/// are.
template <typename T>
int64_t chosen_of(Choice choice, std::span<const int64_t> cells,
                  const T* from) {
  int64_t chosen = -1;
  for (const int64_t cell : cells) {
    if (cell < 0) continue;
    if (chosen < 0 || !stays(choice, from[chosen], from[cell])) chosen = cell;
  }
  return chosen;
}

/// What is read and written.
template <typename T>
struct Chosen {
  Choice choice;
  const T* from;
  const T* list;
  T* to;

  /// The places first ... last - 1.
  template <Combine kHow>
  void scatter(const Windows& windows, int64_t first, int64_t last) const {
    const auto taps = static_cast<size_t>(windows.taps());
    std::vector<int64_t> cells(static_cast<size_t>(kPlacesTogether) * taps);
    for (int64_t begin = first; begin < last; begin += kPlacesTogether) {
      const int64_t n = std::min(kPlacesTogether, last - begin);
      windows.offsets(begin, n, cells.data());
      for (int64_t i = 0; i < n; ++i) {
        const int64_t cell = chosen_of(
            choice,
            std::span(cells).subspan(static_cast<size_t>(i) * taps, taps),
            from);
        if (cell < 0) continue;
        to[cell] = combined<kHow>(to[cell], list[begin + i]);
      }
    }
  }
};

/// Whether places of the first dimension choose among elements of their own.
bool is_batch(const WindowLine& line) {
  return line.window == 1 && line.base_dilation == 1;
}

template <typename T>
constexpr bool kHasOrder = std::is_arithmetic_v<T> || std::is_same_v<T, Bf16> ||
                           std::is_same_v<T, F16>;

}  // namespace

bool scatter_chosen(Choice choice, Combine how, ElementType type,
                    std::span<const WindowLine> lines, const std::byte* from,
                    const std::byte* list, const std::byte* init,
                    std::byte* to) {
  const Windows windows({lines.begin(), lines.end()});
  int64_t count = 1;
  for (const WindowLine& line : lines) count *= line.input;
  const int64_t parts = is_batch(lines[0]) ? lines[0].output : 1;
  const int64_t places = windows.places() / parts;
  const auto scatter = [&](const auto& chosen) {
    with_combine(how, [&](auto constant) {
      share_loop(parts, [&](int64_t part) {
        chosen.template scatter<decltype(constant)::value>(
            windows, part * places, (part + 1) * places);
      });
    });
  };
  bool is_known = false;
  with_stored_element(type, [&](auto number) {
    using T = decltype(number);
    if constexpr (kHasOrder<T>) {
      repeat_element(init, sizeof(T), static_cast<size_t>(count), to);
      scatter(Chosen<T>{choice, reinterpret_cast<const T*>(from),
                        reinterpret_cast<const T*>(list),
                        reinterpret_cast<T*>(to)});
      is_known = true;
    }
  });
  return is_known;
}

}  // namespace hlo::cpu
