#include "backends/cpu/devices/device_network.h"

#include <algorithm>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/rules/devices/channel_pairs.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

/// A collective and its start meet under one name.
std::string_view meeting_name(const Instruction& collective) {
  const std::string_view name = collective.op->name;
  constexpr std::string_view kStart = "-start";
  return name.ends_with(kStart) ? name.substr(0, name.size() - kStart.size())
                                : name;
}

bool ask_the_same(const Instruction& a, const Instruction& b) {
  for (const std::string_view name : {"dimensions", "source_target_pairs",
                                      "has_dynamic_root", "slice_sizes"}) {
    const AttributeValue* x = a.find(name);
    const AttributeValue* y = b.find(name);
    if ((x == nullptr) != (y == nullptr)) return false;
    if (x != nullptr && !(*x == *y)) return false;
  }
  return true;
}

/// Compares with the member that came first.
void require_alike(const Instruction& collective, Operands operands,
                   const Meeting& meeting) {
  if (&collective == meeting.collective) return;
  const auto first = std::ranges::find(meeting.present, true);
  if (first == meeting.present.end()) return;
  const std::vector<Array>& others =
      meeting.operands[static_cast<size_t>(first - meeting.present.begin())];
  const auto fit = [](const Array* a, const Array& b) {
    return compatible(a->shape, b.shape, /*ignore_dynamic=*/true);
  };
  require_evaluable(std::ranges::equal(operands, others, fit) &&
                        ask_the_same(collective, *meeting.collective),
                    "collective.alike",
                    {"%", collective.name, " differs from %",
                     meeting.collective->name, " in shapes or attributes"},
                    "the members of a group must ask for the same");
}

}  // namespace

Pending at_once(Array value) {
  const auto kept = std::make_shared<const Array>(std::move(value));
  return [kept] { return kept.get(); };
}

Network::Network(Grid grid, HostQueues host)
    : grid_(grid), host_(std::move(host)) {}

const Network::Lanes& Network::lanes_of(const Instruction& collective) {
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

std::optional<Pending> Network::meet(const Instruction& collective,
                                     Operands operands, const Device& device,
                                     const MeetingRule& rule) {
  const Lanes& lanes = lanes_of(collective);
  const int64_t self = flattened_id(device, grid_);
  const int64_t group = lanes.group_of.at(static_cast<size_t>(self));
  if (group < 0) return std::nullopt;
  Lane& lane = *lanes.lanes[static_cast<size_t>(group)];
  const size_t member = lane.member.at(self);
  const size_t place = lane.visits[member]++ - lane.ended;
  if (place == lane.open.size()) {
    const size_t count = lane.devices.size();
    lane.open.push_back(std::make_shared<Meeting>(
        Meeting{.collective = &collective,
                .grid = grid_,
                .devices = lane.devices,
                .operands = std::vector<std::vector<Array>>(count),
                .present = std::vector<bool>(count),
                .missing = count,
                .results = {}}));
  }
  const std::shared_ptr<Meeting> meeting = lane.open[place];
  require_alike(collective, operands, *meeting);
  for (const Array* operand : operands) {
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
  return Pending([meeting, member]() -> const Array* {
    return meeting->missing == 0 ? meeting->results[member].get() : nullptr;
  });
}

std::shared_ptr<Network::Transfer> Network::take(Queue& queue,
                                                 int64_t Transfer::*end,
                                                 int64_t device) {
  if (queue.empty()) return nullptr;
  auto found = std::ranges::find_if(
      queue, [&](const auto& transfer) { return (*transfer).*end == device; });
  if (found == queue.end()) found = queue.begin();  // the oldest of anybody
  std::shared_ptr<Transfer> taken = *found;
  queue.erase(found);
  return taken;
}

void Network::check(const Transfer& transfer) {
  if (!transfer.value || !transfer.wanted) return;
  const Shape& sent = transfer.value->elements.at(0).shape;
  require_evaluable(
      compatible(sent, *transfer.wanted, /*ignore_dynamic=*/true),
      "channel.shape",
      {"what was sent is ", sent, " and what is received ", *transfer.wanted},
      "they must have one shape");
}

Pending Network::send(const Instruction& send, Array value,
                      const Device& device) {
  const ChannelEnds ends = channel_ends(send, device, grid_);
  if (ends.has_pairs && ends.target < 0) return at_once(Array(Shape::token()));
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
  return [transfer]() -> const Array* {
    return transfer->wanted ? &transfer->value->elements.at(1) : nullptr;
  };
}

Pending Network::receive(const Instruction& recv, const Shape& data,
                         const Device& device) {
  const ChannelEnds ends = channel_ends(recv, device, grid_);
  if (ends.has_pairs && ends.source < 0) {
    return at_once(tuple_of({zeros(data), Array(Shape::token())}));
  }
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
  return [transfer]() -> const Array* {
    return transfer->value ? &*transfer->value : nullptr;
  };
}

uint32_t Network::keep(Pending pending) {
  const uint32_t number = ++last_number_;
  kept_.insert_or_assign(number, std::move(pending));
  return number;
}

Pending Network::redeem(uint32_t number) {
  auto node = kept_.extract(number);
  require_evaluable(!node.empty(), "channel.state",
                    {"a done ends what has been ended or never begun"},
                    "it must end each send, recv or start once");
  Pending ended = std::move(node.mapped());
  return ended;
}

Array Network::take_infeed(const Shape& shape) {
  Infeed& infeed = host_.infeed;
  if (infeed.values.empty() && infeed.more) return infeed.more(shape);
  require_evaluable(!infeed.values.empty(), "infeed.empty",
                    {"the queue of the infeed is empty"},
                    "it must hold a value for each infeed");
  require_evaluable(
      compatible(infeed.values.front().shape, shape, /*ignore_dynamic=*/true),
      "infeed.shape",
      {"the next value of the infeed is ", infeed.values.front().shape, " and ",
       shape, " is asked for"},
      "they must be equal");
  Array value = std::move(infeed.values.front());
  infeed.values.pop_front();
  return value;
}

void Network::put_outfeed(const Device& device, const Array& value) const {
  if (host_.outfeed) host_.outfeed(device, value);
}

}  // namespace hlo::cpu
