#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "conformance/explain/element.h"
#include "conformance/explain/joined.h"
#include "conformance/explain/probe.h"
#include "conformance/explain/story.h"
#include "interpreter/communication.h"
#include "interpreter/evaluate.h"

namespace hlo::conformance {
namespace {

std::string device_text(int64_t id, const Grid& grid) {
  const Device device = device_of(id, grid);
  return fmt::format("device {} (replica {}, partition {})", id, device.replica,
                     device.partition);
}

/// The group, and which of its members the explained device is.
struct Seat {
  const Meeting& meeting;
  size_t member = 0;

  explicit Seat(const Point& point) : meeting(*point.recording.meeting) {
    const int64_t id = flattened_id(point.recording.device, meeting.grid);
    member = static_cast<size_t>(std::ranges::find(meeting.devices, id) -
                                 meeting.devices.begin());
  }

  std::string name(size_t m) const {
    return device_text(meeting.devices[m], meeting.grid);
  }
};

bool begins_with(const Point& point, std::string_view name) {
  return point.instruction().op->name.starts_with(name);
}

/// The operands of all members, one after the other.
std::vector<Literal> flat(const Meeting& meeting) {
  std::vector<Literal> all;
  for (const auto& own : meeting.operands) {
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

/// The result of the member when all members come with these operands.
Literal meet_again(const Seat& seat, const std::vector<Literal>& operands) {
  const Meeting& given = seat.meeting;
  const Instruction& collective = *given.collective;
  const size_t each = given.operands[0].size();
  Network network(given.grid);
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  std::vector<Future> futures;
  for (size_t m = 0; m < given.size(); ++m) {
    EvaluatorOptions options;
    options.device = device_of(given.devices[m], given.grid);
    evaluators.push_back(std::make_unique<Evaluator>(options, network));
    const Operands own(operands.data() + m * each, each);
    futures.push_back(
        collective.op->communicate(collective, own, *evaluators.back()));
  }
  return futures[seat.member].value();
}

using Rule = std::vector<Literal> (*)(const Meeting&, Evaluator&);

/// The rule of a collective that has a half of its own.
Rule rule_of(const Point& point) {
  if (begins_with(point, "all-gather")) return gather_all;
  if (begins_with(point, "collective-permute")) return permute_all;
  return nullptr;
}

Literal apply_rule(Rule rule, const Seat& seat,
                   const std::vector<Literal>& operands) {
  Meeting meeting = seat.meeting;
  const size_t each = meeting.operands[0].size();
  for (size_t m = 0; m < meeting.size(); ++m) {
    for (size_t k = 0; k < each; ++k) {
      meeting.operands[m][k] = operands[m * each + k];
    }
  }
  Evaluator evaluator;
  return rule(meeting, evaluator)[seat.member];
}

/// Which operands of each member are moved; the others say where to.
std::vector<size_t> movable(const Meeting& meeting) {
  const size_t each = meeting.operands[0].size();
  const std::string_view name = meeting.collective->op->name;
  const bool has_places = name == "ragged-all-to-all" ||
                          (name.starts_with("collective-permute") && each == 4);
  const bool has_root = meeting.collective->get_or("has_dynamic_root", false);
  std::vector<size_t> arrays;
  for (size_t i = 0; i < meeting.size() * each; ++i) {
    const bool moves =
        (!has_places || i % each < 2) && (!has_root || i % each + 1 < each);
    if (moves && meeting.operands[i / each][i % each].shape().is_array()) {
      arrays.push_back(i);
    }
  }
  return arrays;
}

/// An element of one of the members, found by the rule of the operation.
void explain_moved(Story& story, const Seat& seat) {
  const Point& point = story.point();
  const Rule rule = rule_of(point);
  const auto result = [&](const std::vector<Literal>& operands) {
    const Literal value = rule != nullptr ? apply_rule(rule, seat, operands)
                                          : meet_again(seat, operands);
    return part_of(value, point.tuple_index).at(point.position);
  };
  const std::vector<Literal> operands = flat(seat.meeting);
  const auto origins = find_origins(operands, movable(seat.meeting), 1, result);
  if (origins.empty()) {
    return story.copy_of(Scalar{point.array.type(), {}},
                         "a zero: no device sends anything here");
  }
  const size_t each = seat.meeting.operands[0].size();
  const Origin& origin = origins[0];
  const Literal& array = operands[origin.array];
  const Scalar from = array.at(origin.position);
  story.copy_of(
      from,
      fmt::format("element {} of operand {} of {} = {}",
                  index_text(delinearize(origin.position, array.shape().dims)),
                  origin.array % each, seat.name(origin.array / each),
                  value_text(from)));
}

/// The element of each member's operand that belongs to the result's element.
Index index_in_member(const Point& point, const Seat& seat) {
  Index index = point.index;
  if (!begins_with(point, "reduce-scatter")) return index;
  const Ints& dims = point.instruction().get<Ints>("dimensions");
  const auto d = static_cast<size_t>(dims.at(0));
  index[d] += static_cast<int64_t>(seat.member) * point.array.shape().dims[d];
  return index;
}

void explain_combined(Story& story, const Seat& seat) {
  const Point& point = story.point();
  const Instruction& collective = *seat.meeting.collective;
  const size_t k = point.tuple_index.empty()
                       ? 0
                       : static_cast<size_t>(point.tuple_index.back());
  const Index index = index_in_member(point, seat);
  std::vector<Term> terms;
  std::vector<std::string> lines;
  for (size_t m = 0; m < seat.meeting.size(); ++m) {
    const Literal& array = seat.meeting.operands[m].at(k);
    const Scalar value = array.at(index);
    terms.push_back({fmt::format("{}: element {} = {}", seat.name(m),
                                 index_text(index), value_text(value)),
                     value});
    lines.push_back(terms.back().text);
  }
  list_terms(story, lines);
  explain_joined(story, *collective.get<Computation*>("to_apply"), terms);
}

void explain_meeting(Story& story) {
  const Point& point = story.point();
  const Seat seat(point);
  story.say(fmt::format("{} meets {} {}", seat.name(seat.member),
                        seat.meeting.size() - 1,
                        seat.meeting.size() == 2 ? "other" : "others"));
  if (point.instruction().op->name.ends_with("-start")) {
    story.say("the value comes with its done; this half gives " +
              value_text(point.result()));
    return;
  }
  if (begins_with(point, "all-reduce") ||
      begins_with(point, "reduce-scatter")) {
    return explain_combined(story, seat);
  }
  explain_moved(story, seat);
}

void explain_identity(Story& story, std::string_view what, int64_t id) {
  story.say(fmt::format("the {} that runs this: {}", what, id));
}

/// What a second half hands on of its state, or a first half of its operands.
void explain_state(Story& story) {
  const Point& point = story.point();
  const std::string_view name = point.instruction().op->name;
  Ints inner = point.tuple_index;
  if (name == "copy-start") {
    if (inner.at(0) == 2) return story.say("a number of the state");
    return story.copy(0, point.position, {inner.begin() + 1, inner.end()});
  }
  if (name == "copy-done") {
    const Shape& state = point.run.operands[0].shape();
    // ((operand), result, context) or (destination, source, context).
    inner.insert(inner.begin(), state.tuple_shapes[0].is_tuple() ? 1 : 0);
    return story.copy(0, point.position, inner);
  }
  if (name == "async-start" && inner.size() > 1 && inner[0] == 0) {
    const auto k = static_cast<size_t>(inner[1]);
    return story.copy(k, point.position, {inner.begin() + 2, inner.end()});
  }
  story.say("a part of the state: " + value_text(point.result()));
}

/// The computation that an asynchronous operation runs.
void explain_async_done(Story& story) {
  const Point& point = story.point();
  for (const auto& [instruction, run] : point.recording.latest) {
    if (instruction->parent == point.instruction().parent) continue;
    if (instruction->parent->root != instruction) continue;
    const Literal& value = part_of(run.result, point.tuple_index);
    if (!same_dims(value.shape(), point.array.shape())) continue;
    story.say("%" + instruction->parent->name + " has ended");
    story.use({instruction, point.tuple_index, point.index});
    const Scalar from = value.at(point.position);
    return story.copy_of(
        from, "%" + instruction->parent->name + "/" +
                  element_name(*instruction, point.tuple_index, point.index) +
                  " = " + value_text(from));
  }
  story.say("the result of the computation that was started: " +
            value_text(point.result()));
}

const Instruction& transfer_of(const Instruction& instruction) {
  const bool is_done = instruction.op->name.ends_with("-done");
  return is_done && !instruction.operands.empty() ? *instruction.operands[0]
                                                  : instruction;
}

/// The send on the channel that the received data are of; null where it is not
/// known.
const std::pair<Device, Observed>* sender_of(const Point& point) {
  const auto channel = [](const Instruction& transfer) {
    return transfer.get_or<int64_t>("channel_id", 0);
  };
  const Instruction& recv = transfer_of(point.instruction());
  const Literal& data = point.run.result.elements().at(0);
  for (const auto& send : point.recording.sends) {
    const Observed& run = send.second;
    if (channel(*run.instruction) == channel(recv) &&
        identical(run.operands[0], data)) {
      return &send;
    }
  }
  return nullptr;
}

void explain_transfer(Story& story) {
  const Point& point = story.point();
  const std::string_view name = point.instruction().op->name;
  const Instruction& transfer = transfer_of(point.instruction());
  const Ints& list = point.tuple_index;
  story.say(fmt::format(
      "channel {}{}", transfer.get_or<int64_t>("channel_id", 0),
      transfer.get_or("is_host_transfer", false) ? ", to or from the host"
                                                 : ""));
  if (list.empty() || list[0] != 0) {
    return story.say("a number of the state");
  }
  const Ints inner(list.begin() + 1, list.end());
  if (name == "send") return story.copy(0, point.position, inner);
  const auto* const sender = name == "recv-done" ? sender_of(point) : nullptr;
  if (sender == nullptr) {
    return story.say(name == "recv"
                         ? "the data come with the done"
                         : "what was received: " + value_text(point.result()));
  }
  const Observed& run = sender->second;
  const Scalar from = part_of(run.operands[0], inner).at(point.position);
  story.copy_of(
      from,
      fmt::format(
          "what replica {}, partition {} sent with %{}: {} = {}",
          sender->first.replica, sender->first.partition, run.instruction->name,
          element_name(*run.instruction->operands[0], inner, point.index),
          value_text(from)));
}

}  // namespace

void explain_communicate(Story& story) {
  const Point& point = story.point();
  const std::string_view name = point.instruction().op->name;
  const Device& device = point.recording.device;
  if (name == "replica-id") {
    return explain_identity(story, "replica", device.replica);
  }
  if (name == "partition-id") {
    return explain_identity(story, "partition", device.partition);
  }
  if (name == "infeed") {
    return story.say(
        "of the value that stood first in the queue of the host: " +
        value_text(point.result()));
  }
  const bool is_wanted = &point.run == &point.recording.wanted;
  if (point.recording.meeting != nullptr && is_wanted) {
    return explain_meeting(story);
  }
  if (name.starts_with("copy-") || name == "async-start" ||
      name == "async-update") {
    return explain_state(story);
  }
  if (name == "async-done") return explain_async_done(story);
  if (name.starts_with("send") || name.starts_with("recv")) {
    return explain_transfer(story);
  }
  story.say("the devices of its group give " + value_text(point.result()));
}

}  // namespace hlo::conformance
