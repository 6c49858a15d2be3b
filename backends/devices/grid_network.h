#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/rules/devices/channel_pairs.h"
#include "interpreter/rules/devices/collective.h"

// What devices that run in turns on one thread share (spec/collectives.md). A
// Value has a `shape`, and `elements` where that is a tuple's.

namespace hlo::devices {

/// A value that others may still have to bring: null until it is there.
template <typename Value>
using Pending = std::function<const Value*()>;

template <typename Value>
Pending<Value> at_once(Value value) {
  const auto kept = std::make_shared<const Value>(std::move(value));
  return [kept] { return kept.get(); };
}

/// One collective of one group, to which its members come one after the other.
template <typename Value>
struct Meeting {
  const Instruction* collective = nullptr;  // of the member that came first
  Grid grid;
  std::vector<int64_t> devices;              // flattened ids, in their order
  std::vector<std::vector<Value>> operands;  // of each member
  std::vector<bool> present;
  size_t missing = 0;
  std::vector<std::shared_ptr<const Value>> results;  // once all have come
};

/// Gives each member its result.
template <typename Value>
using MeetingRule = std::function<std::vector<std::shared_ptr<const Value>>(
    const Meeting<Value>&)>;

/// A collective and its start meet under one name.
std::string_view meeting_name(const Instruction& collective);

/// Evaluate error "collective.alike" where a member asks for something else
/// than the first one, or brings arrays of other shapes.
void require_alike(const Instruction& collective,
                   const std::vector<const Shape*>& operands,
                   const Instruction& first,
                   const std::vector<const Shape*>& others);

/// Evaluate error "channel.shape" where the two differ.
void require_sent_shape(const Shape& sent, const Shape& wanted);

/// Evaluate error "channel.state".
void require_kept(bool is_kept);

/// Who has come to which collective, and what is on its way through channels.
template <typename Value>
class GridNetwork {
 public:
  explicit GridNetwork(Grid grid) : grid_(grid) {}

  const Grid& grid() const { return grid_; }

  /// The device's part in the collective; nothing where it is in no group.
  /// Evaluate errors "collective.grid", "collective.alike".
  std::optional<Pending<Value>> meet(const Instruction& collective,
                                     std::span<const Value* const> operands,
                                     const Device& device,
                                     const MeetingRule<Value>& rule);
  /// Data and token go into the channel; a token once somebody receives.
  /// Nothing where pairs say that the device sends to nobody. Evaluate errors
  /// "channel.shape", "channel.pairs", "collective.grid".
  std::optional<Pending<Value>> send(const Instruction& send, Value value,
                                     const Device& device);
  /// Data and token once somebody sends. Nothing where pairs say that nobody
  /// does. Errors as of send.
  std::optional<Pending<Value>> receive(const Instruction& recv,
                                        const Shape& data,
                                        const Device& device);

  /// Keeps a value for the done that names the number, which is not 0.
  uint32_t keep(Pending<Value> pending);
  /// Evaluate error "channel.state" where that number is not kept.
  Pending<Value> redeem(uint32_t number);

 private:
  /// The meetings of a group under one name and channel.
  struct Lane {
    std::vector<int64_t> devices;
    std::map<int64_t, size_t> member;  // by device
    std::vector<size_t> visits;        // of each member
    std::deque<std::shared_ptr<Meeting<Value>>> open;
    size_t ended = 0;
  };

  struct Lanes {
    std::vector<int64_t> group_of;
    std::vector<Lane*> lanes;  // by group
  };

  /// A value between two devices.
  struct Transfer {
    int64_t source = -1;
    int64_t target = -1;
    std::optional<Value> value;  // data and token
    std::optional<Shape> wanted;
  };

  using Queue = std::deque<std::shared_ptr<Transfer>>;

  struct Channel {
    Queue sent;    // nobody wants them yet
    Queue wanted;  // nobody has sent them yet
  };

  const Lanes& lanes_of(const Instruction& collective);
  std::shared_ptr<Meeting<Value>> next_meeting(const Instruction& collective,
                                               Lane& lane, size_t member);
  static void check(const Instruction& collective,
                    std::span<const Value* const> operands,
                    const Meeting<Value>& meeting);
  static std::shared_ptr<Transfer> take(Queue& queue, int64_t Transfer::*end,
                                        int64_t device);
  static void check(const Transfer& transfer);

  Grid grid_;
  std::map<std::tuple<std::string_view, int64_t, std::vector<int64_t>>, Lane>
      lanes_;
  std::map<const Instruction*, Lanes> lanes_of_;
  std::map<std::tuple<int64_t, int64_t, int64_t>, Channel> channels_;
  std::map<uint32_t, Pending<Value>> kept_;
  uint32_t last_number_ = 0;
};

template <typename Value>
auto GridNetwork<Value>::lanes_of(const Instruction& collective)
    -> const Lanes& {
  const auto found = lanes_of_.find(&collective);
  if (found != lanes_of_.end()) return found->second;
  DeviceGroups groups = device_groups(collective, grid_);
  Lanes lanes{std::move(groups.group_of), {}};
  const auto channel = collective.get_or<int64_t>("channel_id", -1);
  for (std::vector<int64_t>& members : groups.members) {
    Lane& lane = lanes_[{meeting_name(collective), channel, members}];
    if (lane.devices.empty()) {
      lane.visits.resize(members.size());
      for (size_t i = 0; i < members.size(); ++i) lane.member[members[i]] = i;
      lane.devices = std::move(members);
    }
    lanes.lanes.push_back(&lane);
  }
  return lanes_of_.emplace(&collective, std::move(lanes)).first->second;
}

/// The one that it is the member's turn to come to.
template <typename Value>
std::shared_ptr<Meeting<Value>> GridNetwork<Value>::next_meeting(
    const Instruction& collective, Lane& lane, size_t member) {
  const size_t place = lane.visits[member]++ - lane.ended;
  if (place == lane.open.size()) {
    const size_t count = lane.devices.size();
    lane.open.push_back(std::make_shared<Meeting<Value>>(
        Meeting<Value>{.collective = &collective,
                       .grid = grid_,
                       .devices = lane.devices,
                       .operands = std::vector<std::vector<Value>>(count),
                       .present = std::vector<bool>(count),
                       .missing = count,
                       .results = {}}));
  }
  return lane.open[place];
}

/// Compares with the member that came first.
template <typename Value>
void GridNetwork<Value>::check(const Instruction& collective,
                               std::span<const Value* const> operands,
                               const Meeting<Value>& meeting) {
  if (&collective == meeting.collective) return;
  const auto first = std::ranges::find(meeting.present, true);
  if (first == meeting.present.end()) return;
  std::vector<const Shape*> own;
  for (const Value* operand : operands) own.push_back(&operand->shape);
  std::vector<const Shape*> others;
  const auto at = static_cast<size_t>(first - meeting.present.begin());
  for (const Value& value : meeting.operands[at]) {
    others.push_back(&value.shape);
  }
  require_alike(collective, own, *meeting.collective, others);
}

template <typename Value>
std::optional<Pending<Value>> GridNetwork<Value>::meet(
    const Instruction& collective, std::span<const Value* const> operands,
    const Device& device, const MeetingRule<Value>& rule) {
  const Lanes& lanes = lanes_of(collective);
  const int64_t self = flattened_id(device, grid_);
  const int64_t group = lanes.group_of.at(static_cast<size_t>(self));
  if (group < 0) return std::nullopt;
  Lane& lane = *lanes.lanes[static_cast<size_t>(group)];
  const size_t member = lane.member.at(self);
  const auto meeting = next_meeting(collective, lane, member);
  check(collective, operands, *meeting);
  for (const Value* operand : operands) {
    meeting->operands[member].push_back(*operand);
  }
  meeting->present[member] = true;
  if (--meeting->missing == 0) {
    // Each member comes to its meetings in turn, so that the oldest ends first.
    lane.open.pop_front();
    ++lane.ended;
    meeting->results = rule(*meeting);
    meeting->operands.clear();
  }
  return Pending<Value>([meeting, member]() -> const Value* {
    return meeting->missing == 0 ? meeting->results[member].get() : nullptr;
  });
}

template <typename Value>
auto GridNetwork<Value>::take(Queue& queue, int64_t Transfer::*end,
                              int64_t device) -> std::shared_ptr<Transfer> {
  if (queue.empty()) return nullptr;
  auto found = std::ranges::find_if(
      queue, [&](const auto& transfer) { return (*transfer).*end == device; });
  if (found == queue.end()) found = queue.begin();  // the oldest of anybody
  std::shared_ptr<Transfer> taken = *found;
  queue.erase(found);
  return taken;
}

template <typename Value>
void GridNetwork<Value>::check(const Transfer& transfer) {
  if (!transfer.value || !transfer.wanted) return;
  require_sent_shape(transfer.value->elements.at(0).shape, *transfer.wanted);
}

template <typename Value>
std::optional<Pending<Value>> GridNetwork<Value>::send(const Instruction& send,
                                                       Value value,
                                                       const Device& device) {
  const ChannelEnds ends = channel_ends(send, device, grid_);
  if (ends.has_pairs && ends.target < 0) return std::nullopt;
  const int64_t self = flattened_id(device, grid_);
  Channel& channel = channels_[{ends.channel, ends.has_pairs ? self : -1,
                                ends.has_pairs ? ends.target : -1}];
  std::shared_ptr<Transfer> transfer =
      take(channel.wanted, &Transfer::target, self);
  if (transfer == nullptr) {
    transfer = std::make_shared<Transfer>();
    channel.sent.push_back(transfer);
  }
  transfer->source = self;
  transfer->value = std::move(value);
  check(*transfer);
  return Pending<Value>([transfer]() -> const Value* {
    return transfer->wanted ? &transfer->value->elements.at(1) : nullptr;
  });
}

template <typename Value>
std::optional<Pending<Value>> GridNetwork<Value>::receive(
    const Instruction& recv, const Shape& data, const Device& device) {
  const ChannelEnds ends = channel_ends(recv, device, grid_);
  if (ends.has_pairs && ends.source < 0) return std::nullopt;
  const int64_t self = flattened_id(device, grid_);
  Channel& channel = channels_[{ends.channel, ends.has_pairs ? ends.source : -1,
                                ends.has_pairs ? self : -1}];
  std::shared_ptr<Transfer> transfer =
      take(channel.sent, &Transfer::source, self);
  if (transfer == nullptr) {
    transfer = std::make_shared<Transfer>();
    channel.wanted.push_back(transfer);
  }
  transfer->target = self;
  transfer->wanted = data;
  check(*transfer);
  return Pending<Value>([transfer]() -> const Value* {
    return transfer->value ? &*transfer->value : nullptr;
  });
}

template <typename Value>
uint32_t GridNetwork<Value>::keep(Pending<Value> pending) {
  const uint32_t number = ++last_number_;
  kept_.insert_or_assign(number, std::move(pending));
  return number;
}

template <typename Value>
Pending<Value> GridNetwork<Value>::redeem(uint32_t number) {
  auto node = kept_.extract(number);
  require_kept(!node.empty());
  Pending<Value> ended = std::move(node.mapped());
  return ended;
}

}  // namespace hlo::devices
