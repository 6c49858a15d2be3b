#pragma once

#include <cstdint>
#include <set>

#include "interpreter/rules/devices/collective.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// What a text says of the devices that its programs run on.
struct StatedDevices {
  /// The module's numbers, or the grid of all programs that it runs in
  /// parallel; one device where it says nothing, or several grids.
  Grid grid;
  /// Channels over which programs that run in parallel send to the host and
  /// receive from it: it hands on what was sent.
  std::set<int64_t> passed_by_host;
};

StatedDevices stated_devices(const Program& program);

}  // namespace hlo::stablehlo
