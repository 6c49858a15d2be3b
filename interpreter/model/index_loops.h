#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Loops over all indices of an array, in row-major order.

namespace hlo {

/// Calls visit with each index within `sizes`.
template <typename Visit>
void for_each_index(const std::vector<int64_t>& sizes, const Visit& visit) {
  for (const int64_t size : sizes) {
    if (size == 0) return;
  }
  std::vector<int64_t> index(sizes.size());
  for (size_t d = 0;;) {
    visit(std::as_const(index));
    for (d = sizes.size(); d > 0 && ++index[d - 1] == sizes[d - 1]; --d) {
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

/// A loop over all indices within some extents that knows how far each is from
/// the first one in N arrays, in each of which an axis has a stride of its own.
template <size_t N>
class StridedLoop {
 public:
  using Offsets = std::array<int64_t, N>;

  /// The last axis is the fastest one.
  void add_axis(int64_t extent, const Offsets& strides) {
    axes_.push_back({extent, strides});
  }

  int64_t count() const {
    int64_t count = 1;
    for (const Axis& axis : axes_) count *= axis.extent;
    return count;
  }

  /// Calls visit with the offsets of each index.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    if (count() == 0) return;
    const Axis row = axes_.empty() ? Axis{1, {}} : axes_.back();
    std::vector<int64_t> place(axes_.size());
    Offsets first{};  // of a row
    do {
      Offsets at = first;
      for (int64_t i = 0; i < row.extent; ++i) {
        visit(std::as_const(at));
        move(at, row, 1);
      }
    } while (next_row(place, first));
  }

 private:
  struct Axis {
    int64_t extent;
    Offsets strides;
  };

  static void move(Offsets& offsets, const Axis& axis, int64_t steps) {
    for (size_t k = 0; k < N; ++k) offsets[k] += steps * axis.strides[k];
  }

  bool next_row(std::vector<int64_t>& place, Offsets& offsets) const {
    for (size_t a = axes_.size(); a-- > 1;) {
      const Axis& axis = axes_[a - 1];
      const bool is_inside = ++place[a - 1] < axis.extent;
      move(offsets, axis, is_inside ? 1 : 1 - axis.extent);
      if (is_inside) return true;
      place[a - 1] = 0;
    }
    return false;
  }

  std::vector<Axis> axes_;
};

}  // namespace hlo
