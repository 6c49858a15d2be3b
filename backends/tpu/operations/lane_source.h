#pragma once

#include <memory>

#include "backends/tpu/machine/lane_gather.h"

namespace hlo::tpu {

/// An operand whose registers come in the order of a result's: as they lie
/// where both have the same lanes, else gathered.
class LaneSource {
 public:
  /// An operand of other dimensions than the result's is a scalar.
  LaneSource(Machine& machine, const TiledArray& array,
             const TiledArray& result);

  /// Whether it is a scalar: one element for all lanes.
  bool is_splat() const { return is_splat_; }

  /// What goes with register r of the result; a scalar lies in lane 0.
  Register at(int64_t r) const;

 private:
  Register splat() const;

  Machine& machine_;
  const TiledArray& array_;
  const TileOrder& order_;
  bool is_splat_;
  std::unique_ptr<LaneGather> gather_;
};

/// The register's lanes in another type; a NaN is converted as a number is.
Register converted_lanes(Machine& machine, const Register& from,
                         ElementType type);

}  // namespace hlo::tpu
