#include "conformance/certify/devices/exchange.h"

#include <utility>

#include "interpreter/rules/op.h"

namespace hlo::conformance {

struct Exchange::Seat::Meeting {
  GroupCall call;
  std::map<int64_t, SetTree> results;  // once all members have come
};

SetTree Exchange::Seat::result(DeviceTurns& turns) const {
  const auto is_there = [this] { return !meeting_->results.empty(); };
  if (!is_there()) {
    turns.wait(device_, is_there, meeting_->call.collective->location);
  }
  return meeting_->results.at(device_);
}

Exchange::Seat Exchange::come(const Instruction& collective,
                              std::vector<SetTree> operands, int64_t device) {
  const std::vector<int64_t> members = group_of(collective, device);
  Lane& lane = lanes_[{collective.op->name,
                       collective.get_or<int64_t>("channel_id", -1), members}];
  const int64_t visit = lane.visits[device]++;
  while (lane.first + std::ssize(lane.meetings) <= visit) {
    lane.meetings.push_back(std::make_shared<Seat::Meeting>());
    lane.meetings.back()->call = {&collective, grid_, members, {}};
  }
  Seat seat;
  const auto meeting = lane.meetings[static_cast<size_t>(visit - lane.first)];
  seat.meeting_ = meeting;
  seat.device_ = device;
  meeting->call.brought[device] = std::move(operands);
  if (meeting->call.brought.size() == members.size()) {
    meeting->results = certify_call(meeting->call, profile_);
    // Members come to one after the other.
    lane.meetings.pop_front();
    ++lane.first;
  }
  return seat;
}

/// A device in no group is alone in one.
std::vector<int64_t> Exchange::group_of(const Instruction& collective,
                                        int64_t device) {
  const auto [found, is_new] = groups_.try_emplace(&collective);
  if (is_new) found->second = device_groups(collective, grid_);
  const int64_t group = found->second.group_of[static_cast<size_t>(device)];
  if (group < 0) return {device};
  return found->second.members[static_cast<size_t>(group)];
}

}  // namespace hlo::conformance
