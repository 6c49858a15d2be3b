#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backends/tpu/memory/scratch_registers.h"
#include "interpreter/model/layout.h"
#include "interpreter/model/shape.h"

namespace hlo::tpu {

/// Where the elements of an array lie, by arithmetic of this backend's own
/// (spec/layout.md has the formulas).
///
/// A *lane* is a place in the order that the first tile of the layout gives,
/// padding of that tile included: registers hold 1024 lanes that follow each
/// other, whatever further tiles do to them in memory. A *slot* is a place in
/// memory, in elements. An *element* is a row-major position in the array.
class TileOrder {
 public:
  static constexpr int64_t kPadding = -1;

  /// Error "evaluate.memory" where there are more than 2^31 - 1 lanes or slots.
  TileOrder(const std::vector<int64_t>& dims, const Layout& layout);

  int64_t elements() const { return std::ssize(lane_of_element_); }

  int64_t lanes() const { return std::ssize(element_of_lane_); }

  /// How many there are, tail padding included.
  int64_t slots() const { return slots_; }

  /// The element in a lane, or kPadding.
  int64_t element_of(int64_t lane) const {
    return element_of_lane_[static_cast<size_t>(lane)];
  }

  int64_t lane_of(int64_t element) const {
    return lane_of_element_[static_cast<size_t>(element)];
  }

  /// Lanes of padding have slots, too: a load of a whole tile reads them.
  int64_t slot_of(int64_t lane) const {
    return slot_of_lane_.empty() ? lane
                                 : slot_of_lane_[static_cast<size_t>(lane)];
  }

  /// Whether lane k lies in slot k for every k.
  bool is_direct() const { return slot_of_lane_.empty(); }

  /// Which lanes of register r hold elements.
  const std::bitset<kLanes>& mask(int64_t r) const {
    return masks_[static_cast<size_t>(r)];
  }

  /// Lanes of a register that follow each other.
  struct Run {
    int32_t first;
    int32_t count;
  };

  /// The lanes of register r that hold elements, in their order.
  std::span<const Run> runs(int64_t r) const {
    const auto at = static_cast<size_t>(r);
    return std::span(runs_).subspan(first_run_[at],
                                    first_run_[at + 1] - first_run_[at]);
  }

  /// Whether lane k holds the same element in both, for every k.
  bool same_lanes(const TileOrder& other) const {
    return this == &other || element_of_lane_ == other.element_of_lane_;
  }

 private:
  void add_element(int64_t lane);
  void find_runs();

  std::vector<int32_t> element_of_lane_;
  std::vector<int32_t> lane_of_element_;
  std::vector<int32_t> slot_of_lane_;  // empty: the lane itself
  std::vector<std::bitset<kLanes>> masks_;
  std::vector<Run> runs_;
  std::vector<size_t> first_run_;  // of each register, and the end
  int64_t slots_ = 0;
};

/// The order of an array of that shape: of its layout, or row-major. Arrays of
/// one shape and layout share it.
std::shared_ptr<const TileOrder> order_of(const Shape& shape);

}  // namespace hlo::tpu
