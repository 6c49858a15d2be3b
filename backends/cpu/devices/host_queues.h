#pragma once

#include "backends/cpu/devices/device_network.h"
#include "backends/host_side.h"

namespace hlo::cpu {

/// The two ends of the host for one run, as a grid of devices reads and writes
/// them.
HostQueues queues_of(const HostSide& host);

}  // namespace hlo::cpu
