#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// The group that met, and which of its members the explained device is.
struct Seat {
  const Meeting& meeting;
  size_t member = 0;

  Seat(const Point& point, const Meeting& met) : meeting(met) {
    const int64_t id = flattened_id(point.recording.device, meeting.grid);
    member = static_cast<size_t>(std::ranges::find(meeting.devices, id) -
                                 meeting.devices.begin());
  }

  /// "device 1 (replica 1, partition 0)".
  std::string name(size_t m) const {
    const int64_t id = meeting.devices[m];
    const Device device = device_of(id, meeting.grid);
    return fmt::format("device {} (replica {}, partition {})", id,
                       device.replica, device.partition);
  }
};

}  // namespace hlo::conformance
