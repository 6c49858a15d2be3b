#include "interpreter/run/network.h"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/rules/devices/channel_pairs.h"

namespace hlo {
namespace {

/// The name that a collective shares with its asynchronous start.
std::string_view plain_name(const Instruction& collective) {
  constexpr std::string_view kStart = "-start";
  std::string_view name = collective.op->name;
  if (name.ends_with(kStart)) name.remove_suffix(kStart.size());
  return name;
}

/// Attributes that say what a group does; the groups themselves are the same.
bool ask_the_same(const Instruction& a, const Instruction& b) {
  constexpr std::array kNames = std::to_array<std::string_view>(
      {"dimensions", "source_target_pairs", "has_dynamic_root", "slice_sizes"});
  return std::ranges::all_of(kNames, [&](std::string_view name) {
    const AttributeValue* left = a.find(name);
    const AttributeValue* right = b.find(name);
    return left == nullptr || right == nullptr ? left == right
                                               : *left == *right;
  });
}

bool are_alike(const Instruction& collective, Operands operands,
               const Meeting& meeting, size_t other) {
  if (&collective == meeting.collective) return true;
  const auto fit = [](const Literal& a, const Literal& b) {
    return compatible(a.shape(), b.shape(), /*ignore_dynamic=*/true);
  };
  return std::ranges::equal(operands, meeting.operands[other], fit) &&
         ask_the_same(collective, *meeting.collective);
}

void require_alike(const Instruction& collective, Operands operands,
                   const Meeting& meeting) {
  for (size_t i = 0; i < meeting.size(); ++i) {
    if (!meeting.present[i]) continue;
    require_evaluable(are_alike(collective, operands, meeting, i),
                      "collective.alike",
                      {"%", meeting.collective->name, " and %", collective.name,
                       " differ in shapes or attributes"},
                      "the members of a group must bring arrays of the same "
                      "shapes and ask for the same");
    return;
  }
}

/// The absent members of a meeting.
std::vector<int64_t> absent(const Meeting& meeting) {
  std::vector<int64_t> devices;
  for (size_t i = 0; i < meeting.size(); ++i) {
    if (!meeting.present[i]) devices.push_back(meeting.devices[i]);
  }
  return devices;
}

/// What a member of the meeting waits for: its result.
Future seat(const std::shared_ptr<const Meeting>& meeting, size_t member) {
  return {.poll =
              [meeting, member] {
                return meeting->missing == 0 ? &meeting->results[member]
                                             : nullptr;
              },
          .awaited = [meeting] { return absent(*meeting); }};
}

using Queue = std::deque<std::shared_ptr<Transfer>>;

/// Takes the transfer whose other end `device` holds, else the oldest.
std::shared_ptr<Transfer> take(Queue& queue, int64_t Transfer::*end,
                               int64_t device) {
  if (queue.empty()) return nullptr;
  const auto own = std::ranges::find_if(
      queue, [&](const auto& transfer) { return (*transfer).*end == device; });
  const auto found = own == queue.end() ? queue.begin() : own;
  std::shared_ptr<Transfer> transfer = *found;
  queue.erase(found);
  return transfer;
}

/// What the device at one end of a transfer waits for: `value`, once the
/// device at the other end has come.
Future end_of(const std::shared_ptr<const Transfer>& transfer,
              const Literal* (*value)(const Transfer&),
              int64_t Transfer::*other) {
  return {.poll = [transfer, value] { return value(*transfer); },
          .awaited =
              [transfer, other] {
                const int64_t device = (*transfer).*other;
                return device >= 0 ? std::vector<int64_t>{device}
                                   : std::vector<int64_t>();
              }};
}

/// A token, once somebody has asked for the data.
const Literal* sent_token(const Transfer& transfer) {
  static const Literal token(Shape::token());
  return transfer.shape ? &token : nullptr;
}

const Literal* received_value(const Transfer& transfer) {
  return transfer.value ? &*transfer.value : nullptr;
}

void check_shape(const Transfer& transfer) {
  const Shape& sent = transfer.value->shape().tuple_shapes[0];
  require_evaluable(compatible(sent, *transfer.shape, /*ignore_dynamic=*/true),
                    "channel.shape",
                    {"what was sent has the shape ", sent,
                     " and what is received ", *transfer.shape},
                    "they must have one shape");
}

}  // namespace

Network::Network(Grid grid, std::deque<Literal> infeed)
    : grid_(grid), infeed_(std::move(infeed)) {}

Network::Lane& Network::lane(const Instruction& collective,
                             std::vector<int64_t> devices) {
  const auto channel = collective.get_or<int64_t>("channel_id", -1);
  Lane& lane = lanes_[{plain_name(collective), channel, devices}];
  if (!lane.devices.empty()) return lane;
  lane.devices = std::move(devices);
  lane.visits.assign(lane.devices.size(), 0);
  for (size_t i = 0; i < lane.devices.size(); ++i) {
    lane.member.emplace(lane.devices[i], i);
  }
  return lane;
}

const Network::Lanes& Network::lanes_of(const Instruction& collective) {
  const auto found = lanes_of_.find(&collective);
  if (found != lanes_of_.end()) return found->second;
  DeviceGroups groups = device_groups(collective, grid_);
  Lanes lanes{std::move(groups.group_of), {}};
  for (auto& members : groups.members) {
    lanes.lanes.push_back(&lane(collective, std::move(members)));
  }
  return lanes_of_.emplace(&collective, std::move(lanes)).first->second;
}

std::shared_ptr<Meeting> Network::next_meeting(Lane& lane, size_t member,
                                               const Instruction& collective) {
  const auto place =
      static_cast<size_t>(lane.visits[member]++ - lane.first_open);
  if (place == lane.open.size()) {
    auto meeting = std::make_shared<Meeting>();
    meeting->collective = &collective;
    meeting->grid = grid_;
    meeting->devices = lane.devices;
    meeting->operands.resize(lane.devices.size());
    meeting->present.assign(lane.devices.size(), false);
    meeting->missing = std::ssize(lane.devices);
    lane.open.push_back(std::move(meeting));
  }
  return lane.open[place];
}

std::optional<Future> Network::meet(const Instruction& collective,
                                    Operands operands, const Device& who,
                                    const MeetingRule& rule) {
  const Lanes& lanes = lanes_of(collective);
  const int64_t device = flattened_id(who, grid_);
  require_evaluable(device < std::ssize(lanes.group_of), "collective.grid",
                    {"%", collective.name,
                     " communicates in a region that is applied to elements"},
                    "such a region can run on its own only");
  const int64_t group = lanes.group_of[static_cast<size_t>(device)];
  if (group < 0) return std::nullopt;
  Lane& lane = *lanes.lanes[static_cast<size_t>(group)];
  const size_t member = lane.member.at(device);
  const std::shared_ptr<Meeting> meeting =
      next_meeting(lane, member, collective);
  require_alike(collective, operands, *meeting);
  meeting->operands[member].assign(operands.begin(), operands.end());
  meeting->present[member] = true;
  if (--meeting->missing == 0) {
    // The members come to each of their meetings in turn: the oldest ends
    // first.
    lane.open.pop_front();
    ++lane.first_open;
    meeting->results = rule(*meeting);
    meeting->operands.clear();
  }
  return seat(meeting, member);
}

Literal Network::take_infeed(const Shape& shape) {
  require_evaluable(!infeed_.empty(), "infeed.empty",
                    {"the queue of the infeed is empty"},
                    "it must hold a value for each infeed");
  require_evaluable(
      compatible(infeed_.front().shape(), shape, /*ignore_dynamic=*/true),
      "infeed.shape",
      {"the next value of the infeed has shape ", infeed_.front().shape(),
       " and ", shape, " is asked for"},
      "they must be equal");
  Literal value = std::move(infeed_.front());
  infeed_.pop_front();
  return value;
}

void Network::record_outfeed(const Device& device, Literal value) {
  outfeed_.push_back({device, std::move(value)});
}

Future Network::send(const Instruction& send, Literal value,
                     const Device& device) {
  const ChannelEnds ends = channel_ends(send, device, grid_);
  // A device that is no source sends nothing.
  if (ends.has_pairs && ends.target < 0) {
    return at_once(Literal(Shape::token()));
  }
  const int64_t self = flattened_id(device, grid_);
  Channel& channel = channels_[{ends.channel, ends.has_pairs ? self : -1,
                                ends.has_pairs ? ends.target : -1}];
  auto transfer = take(channel.wanted, &Transfer::target, self);
  if (transfer == nullptr) {
    transfer = std::make_shared<Transfer>();
    transfer->target = ends.target;
    channel.sent.push_back(transfer);
  }
  transfer->source = self;
  transfer->value = std::move(value);
  if (transfer->shape) check_shape(*transfer);
  return end_of(std::move(transfer), sent_token, &Transfer::target);
}

Future Network::receive(const Instruction& recv, const Shape& shape,
                        const Device& device) {
  const ChannelEnds ends = channel_ends(recv, device, grid_);
  // A device that is no target gets zeros.
  if (ends.has_pairs && ends.source < 0) {
    return at_once(Literal::tuple({Literal(shape), Literal(Shape::token())}));
  }
  const int64_t self = flattened_id(device, grid_);
  Channel& channel = channels_[{ends.channel, ends.has_pairs ? ends.source : -1,
                                ends.has_pairs ? self : -1}];
  auto transfer = take(channel.sent, &Transfer::source, self);
  if (transfer == nullptr) {
    transfer = std::make_shared<Transfer>();
    transfer->source = ends.source;
    channel.wanted.push_back(transfer);
  }
  transfer->target = self;
  transfer->shape = shape;
  if (transfer->value) check_shape(*transfer);
  return end_of(std::move(transfer), received_value, &Transfer::source);
}

uint32_t Network::keep(Future future) {
  const uint32_t number = ++last_number_;
  kept_.insert_or_assign(number, std::move(future));
  return number;
}

Future Network::redeem(uint32_t number) {
  auto node = kept_.extract(number);
  require_evaluable(!node.empty(), "channel.state",
                    {"a done ends what has been ended or never begun"},
                    "it must end each send, recv or start once");
  Future future = std::move(node.mapped());
  return future;
}

}  // namespace hlo
