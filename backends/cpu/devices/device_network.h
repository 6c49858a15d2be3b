#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "backends/cpu/arrays/function.h"
#include "backends/devices/grid_network.h"

namespace hlo::cpu {

using devices::at_once;
using Pending = devices::Pending<Array>;
using Meeting = devices::Meeting<Array>;
using MeetingRule = devices::MeetingRule<Array>;

/// What the host has for the devices: values that are there, then those that it
/// is asked for, of a shape, if it has any.
struct Infeed {
  std::deque<Array> values = {};
  std::function<Array(const Shape&)> more = {};
};

/// Takes what a device writes for the host. Null: nobody reads it.
using Outfeed = std::function<void(const Device&, const Array&)>;

/// The two ends of the host.
struct HostQueues {
  Infeed infeed = {};
  Outfeed outfeed = {};
};

/// What the devices of a grid share: who meets whom, and the queues of the
/// host.
class Network : public devices::GridNetwork<Array> {
 public:
  explicit Network(Grid grid, HostQueues host = {});

  /// The next value of the queue. Evaluate errors "infeed.empty",
  /// "infeed.shape".
  Array take_infeed(const Shape& shape);
  void put_outfeed(const Device& device, const Array& value) const;

  const Outfeed& outfeed() const { return host_.outfeed; }

 private:
  HostQueues host_;
};

}  // namespace hlo::cpu
