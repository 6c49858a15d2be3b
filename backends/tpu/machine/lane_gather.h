#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/tiled_array.h"

namespace hlo::tpu {

/// For each lane of a register the element of an array that shall come there,
/// or TileOrder::kPadding for none.
using LaneElements = std::array<int64_t, kLanes>;

/// The elements of the order's register r.
LaneElements elements_of(const TileOrder& order, int64_t r);

/// Brings elements of an array to any lanes: loads the registers that hold
/// them, shifts their lanes, and merges what arrives under masks. Registers
/// that were loaded last stay in the scratch memory.
class LaneGather {
 public:
  /// Keeps at most that many registers of the array, and fewer where the
  /// scratch memory has no spare room.
  LaneGather(Machine& machine, const TiledArray& array, int64_t most);

  /// Replaces those lanes of `into`, a register of the array's type, and makes
  /// them valid. Trap "tpu.padding" where what comes there is no element.
  void gather(const LaneElements& elements, Register& into);

 private:
  struct Kept {
    Register lanes;
    int64_t number;
    int64_t last_use;
    /// By which distances lanes of it were moved, for a gather.
    std::bitset<2 * kLanes> moved = {};
  };

  bool keeps_one_more() const;
  Kept& loaded(int64_t r);
  template <typename T>
  void move_lanes(const LaneElements& elements, Register& into);
  void count_shifts();

  Machine& machine_;
  const TiledArray& array_;
  int64_t most_;
  int64_t uses_ = 0;
  std::vector<Kept> kept_;
  std::vector<int32_t> place_;  // in kept_, by number of the register
};

}  // namespace hlo::tpu
