#include "interpreter/network.h"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"

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
                      "the members of a group bring arrays of the same shapes "
                      "and ask for the same, unlike " +
                          meeting.collective->name + " and " + collective.name);
    return;
  }
}

}  // namespace

bool Future::is_ready() const {
  if (const auto* seat = std::get_if<Seat>(&source)) {
    return seat->meeting->missing == 0;
  }
  if (const auto* end = std::get_if<End>(&source)) {
    return end->is_sender ? end->transfer->shape.has_value()
                          : end->transfer->value.has_value();
  }
  const auto* other = std::get_if<std::shared_ptr<Evaluator>>(&source);
  return other == nullptr || (*other)->has_ended();
}

Literal Future::value() const {
  if (const auto* seat = std::get_if<Seat>(&source)) {
    return seat->meeting->results[seat->member];
  }
  if (const auto* end = std::get_if<End>(&source)) {
    return end->is_sender ? Literal(Shape::token()) : *end->transfer->value;
  }
  const auto* other = std::get_if<std::shared_ptr<Evaluator>>(&source);
  return other == nullptr ? std::get<Literal>(source) : (*other)->result();
}

std::vector<int64_t> Future::awaited() const {
  std::vector<int64_t> devices;
  if (const auto* seat = std::get_if<Seat>(&source)) {
    const Meeting& meeting = *seat->meeting;
    for (size_t i = 0; i < meeting.size(); ++i) {
      if (!meeting.present[i]) devices.push_back(meeting.devices[i]);
    }
  } else if (const auto* end = std::get_if<End>(&source)) {
    const int64_t other =
        end->is_sender ? end->transfer->target : end->transfer->source;
    if (other >= 0) devices.push_back(other);
  } else if (const auto* beside =
                 std::get_if<std::shared_ptr<Evaluator>>(&source)) {
    if (const Future* future = (*beside)->awaited()) return future->awaited();
  }
  return devices;
}

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
                                    Operands operands, CollectiveRule rule,
                                    Evaluator& evaluator) {
  const Lanes& lanes = lanes_of(collective);
  const int64_t device = flattened_id(evaluator.device(), grid_);
  require_evaluable(device < std::ssize(lanes.group_of), "collective.grid",
                    "a region that is applied to elements runs on its own");
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
    meeting->results = rule(*meeting, evaluator);
    const auto& observer = evaluator.options().meeting_observer;
    if (observer) observer(*meeting);
    meeting->operands.clear();
  }
  return Future{Future::Seat{meeting, member}};
}

Literal Network::take_infeed(const Shape& shape) {
  require_evaluable(!infeed_.empty(), "infeed.empty",
                    "the queue of the infeed holds another value");
  require_evaluable(
      compatible(infeed_.front().shape(), shape, /*ignore_dynamic=*/true),
      "infeed.shape",
      "the next value of the infeed has shape " + to_string(shape, false) +
          ", not " + to_string(infeed_.front().shape(), false));
  Literal value = std::move(infeed_.front());
  infeed_.pop_front();
  return value;
}

void Network::record_outfeed(const Device& device, Literal value) {
  outfeed_.push_back({device, std::move(value)});
}

}  // namespace hlo
