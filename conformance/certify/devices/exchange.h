#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "conformance/certify/devices/certify_call.h"
#include "conformance/certify/devices/device_turns.h"

namespace hlo::conformance {

/// Where the devices of a grid, which run in turns, come to collectives.
class Exchange {
 public:
  Exchange(const Grid& grid, const Profile& profile)
      : grid_(grid), profile_(profile), turns_(grid.count()) {}

  DeviceTurns& turns() { return turns_; }

  /// What a device has begun and may wait for.
  class Seat {
   public:
    /// What it may get; others run until all members have come.
    SetTree result(DeviceTurns& turns) const;

   private:
    friend class Exchange;
    struct Meeting;
    std::shared_ptr<const Meeting> meeting_;
    int64_t device_ = 0;
  };

  /// A device comes to the collective with what it brings. The n-th time that
  /// it runs one of that name and channel in a group, it meets the n-th time of
  /// the others, as in Network::meet.
  Seat come(const Instruction& collective, std::vector<SetTree> operands,
            int64_t device);

 private:
  /// The collectives of one name, channel and group.
  struct Lane {
    std::map<int64_t, int64_t> visits;  // of each member
    std::deque<std::shared_ptr<Seat::Meeting>> meetings;
    int64_t first = 0;  // the number of meetings.front()
  };

  std::vector<int64_t> group_of(const Instruction& collective, int64_t device);

  Grid grid_;
  const Profile& profile_;
  DeviceTurns turns_;
  std::map<const Instruction*, DeviceGroups> groups_;
  std::map<std::tuple<std::string_view, int64_t, std::vector<int64_t>>, Lane>
      lanes_;
};

}  // namespace hlo::conformance
