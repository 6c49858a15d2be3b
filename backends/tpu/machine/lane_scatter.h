#pragma once

#include <cstdint>
#include <map>

#include "backends/tpu/machine/lane_gather.h"

namespace hlo::tpu {

/// Takes lanes to any elements of an array, each of which is written once:
/// shifts them, merges them into registers in the array's order under masks,
/// and stores what is complete. Where too many registers are begun, the lanes
/// that are there already are stored alone.
class LaneScatter {
 public:
  /// Keeps at most that many registers of the array, and fewer where the
  /// scratch memory has no spare room.
  LaneScatter(Machine& machine, const TiledArray& array, int64_t most);

  /// Takes lane k to elements[k]; TileOrder::kPadding: nowhere.
  void scatter(const Register& from, const LaneElements& elements);
  /// Stores what is there already, so that nothing lies in the scratch memory.
  void leave();
  /// Stores what is left. Trap "tpu.unwritten" where elements are missing.
  void finish();

 private:
  Register& begun(int64_t r);
  void store(int64_t r);
  void store_if_complete(int64_t r);
  /// Behind the last lane that is scattered.
  int64_t end_of(const LaneElements& elements) const;

  Machine& machine_;
  const TiledArray& array_;
  int64_t most_;
  int64_t written_ = 0;

  struct Begun {
    Register lanes;
    int64_t last_use;
  };

  int64_t uses_ = 0;
  std::map<int64_t, Begun> begun_;  // by number of the register
};

}  // namespace hlo::tpu
