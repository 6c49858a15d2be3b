#pragma once

#include <deque>

#include "backends/host_side.h"
#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The two ends of the host for the devices of a grid.
struct HostEnds {
  std::deque<Value> infeed = {};     // what is there, in anybody's memory
  HostSide::Queue more = nullptr;    // then what the host is asked for
  HostSide::Sink outfeed = nullptr;  // null: nobody reads it
};

/// The next value of the infeed, in the machine's memory. Evaluate errors
/// "infeed.empty", "infeed.shape".
Value take_infeed(Machine& machine, HostEnds& host, const Shape& shape);
/// Hands a value to the host.
void put_outfeed(Machine& machine, const HostEnds& host, const Device& device,
                 const Value& value);

}  // namespace hlo::tpu
