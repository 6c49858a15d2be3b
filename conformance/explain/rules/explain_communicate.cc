#include "conformance/explain/rules/explain_communicate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/recording/find_origins.h"
#include "conformance/explain/rules/explain_permuted.h"
#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/story/seat.h"
#include "conformance/explain/story/story.h"
#include "interpreter/counted.h"
#include "interpreter/devices/communication.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo::conformance {
namespace {

bool begins_with(const Point& point, std::string_view name) {
  return point.instruction().op->name.starts_with(name);
}

/// The start of a done, else the instruction.
const Instruction& transfer_of(const Instruction& instruction) {
  const bool is_done = instruction.op->name.ends_with("-done");
  return is_done && !instruction.operands.empty() ? *instruction.operands[0]
                                                  : instruction;
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
    evaluators.push_back(
        std::make_unique<Evaluator>(kReference, options, network));
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
  Evaluator evaluator(kReference);
  return rule(meeting, evaluator)[seat.member];
}

/// Which operands of each member are moved; the others say where to.
std::vector<size_t> movable(const Meeting& meeting) {
  const size_t each = meeting.operands[0].size();
  const std::string_view name = meeting.collective->op->name;
  const bool has_places = name == "ragged-all-to-all";
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
    if (m == seat.member) {
      story.use({transfer_of(point.instruction()).operands.at(k), {}, index});
    }
    terms.push_back({fmt::format("{}: element {} = {}", seat.name(m),
                                 index_text(index), value_text(value)),
                     value});
    lines.push_back(terms.back().text);
  }
  list_terms(story, lines);
  explain_joined(story, *collective.get<Computation*>("to_apply"), terms);
}

void explain_meeting(Story& story, const Meeting& meeting) {
  const Point& point = story.point();
  const Seat seat(point, meeting);
  story.say(fmt::format("{} meets {}", seat.name(seat.member),
                        counted(std::ssize(seat.meeting) - 1, "other")));
  if (point.instruction().op->name.ends_with("-start")) {
    story.first_operands();
    story.say("the value comes with its done; this half gives " +
              value_text(point.result()));
    return;
  }
  if (begins_with(point, "all-reduce") ||
      begins_with(point, "reduce-scatter")) {
    return explain_combined(story, seat);
  }
  if (begins_with(point, "collective-permute")) {
    return explain_permuted(story, seat);
  }
  explain_moved(story, seat);
}

/// Explains the result of a device that is in no pair, or in no group.
void explain_outside(Story& story) {
  const Point& point = story.point();
  const Instruction& place = transfer_of(point.instruction());
  story.say(begins_with(point, "collective-permute")
                ? "no pair names this device"
                : "no group has this device");
  if (!begins_with(point, "collective-permute") || !is_in_place(place)) {
    return story.copy_of(Scalar{point.array.type(), {}}, "a zero");
  }
  const auto start = point.recording.latest.find(&place);
  const Observed& run =
      start == point.recording.latest.end() ? point.run : start->second;
  const Scalar from =
      part_of(run.operands.at(1), point.tuple_index).at(point.position);
  story.use({place.operands[1], point.tuple_index, point.index});
  story.copy_of(
      from, element_name(*place.operands[1], point.tuple_index, point.index) +
                " = " + value_text(from));
}

void explain_identity(Story& story, std::string_view what, int64_t id) {
  story.say(fmt::format("the {} that runs this: {}", what, id));
}

void say_number_of_state(Story& story) {
  story.say("a number of the state, by which its done finds it: " +
            value_text(story.point().result()));
}

/// A copy's state.
void explain_copy_halves(Story& story) {
  const Point& point = story.point();
  Ints inner = point.tuple_index;
  if (point.instruction().op->name == "copy-start") {
    if (inner.at(0) >= 2) return say_number_of_state(story);
    // Part 0 is the operand, or the tuple of it.
    const Shape& first = point.instruction().shape.tuple_shapes[0];
    const bool is_wrapped =
        inner[0] == 0 &&
        compatible(first, Shape::tuple({point.run.operands[0].shape()}), true);
    const std::ptrdiff_t outer = is_wrapped ? 2 : 1;
    return story.copy(0, point.position, {inner.begin() + outer, inner.end()});
  }
  const Shape& state = point.run.operands[0].shape();
  // ((operand), result, context) or (destination, source, context).
  inner.insert(inner.begin(), state.tuple_shapes[0].is_tuple() ? 1 : 0);
  story.copy(0, point.position, inner);
}

/// The element of the computation that an asynchronous operation runs.
std::string wrapped_element(const Computation& wrapped, const Ints& list,
                            const Index& index) {
  return "%" + wrapped.name + "/" +
         element_name(*wrapped.root, list, index).substr(1);
}

/// The state of async-start and async-update: the operands that are bound, the
/// result to come, and what else there is.
void explain_async_state(Story& story) {
  const Point& point = story.point();
  const Ints& list = point.tuple_index;
  const bool is_start = point.instruction().op->name == "async-start";
  if (list.at(0) == 0) {
    const Ints inner(list.begin() + 2, list.end());
    const auto k = static_cast<size_t>(list.at(1));
    if (is_start) return story.copy(k, point.position, inner);
    const size_t before =
        point.run.operands[0].elements().at(0).elements().size();
    if (k < before) return story.copy(0, point.position, list);
    return story.copy(k - before + 1, point.position, inner);
  }
  const Computation* const wrapped = wrapped_computation(point.instruction());
  if (list[0] != 1 || wrapped == nullptr) return say_number_of_state(story);
  story.say(
      "only a done gives " +
      wrapped_element(*wrapped, {list.begin() + 1, list.end()}, point.index) +
      "; until then this is " + value_text(point.result()));
}

/// Where the state comes out of a loop or a tuple: the operands in it.
void explain_unknown_done(Story& story) {
  const Point& point = story.point();
  story.say("a computation with these operands has ended:");
  const Literal& bound = point.run.operands[0].elements().at(0);
  for (size_t k = 0; k < bound.elements().size(); ++k) {
    const Literal& operand = bound.elements()[k];
    if (!operand.shape().is_array() || operand.element_count() == 0) continue;
    story.say("  " + story.operand(0, 0, {0, static_cast<int64_t>(k)}) +
              (operand.element_count() > 1 ? ", ..." : ""));
  }
  story.say("it gives " + value_text(point.result()));
}

/// The computation that an asynchronous operation runs.
void explain_async_done(Story& story) {
  const Point& point = story.point();
  const Computation* const wrapped = wrapped_computation(point.instruction());
  if (wrapped == nullptr) return explain_unknown_done(story);
  const std::string name =
      wrapped_element(*wrapped, point.tuple_index, point.index);
  story.say("%" + wrapped->name + " has ended");
  const auto run = point.recording.latest.find(wrapped->root);
  const bool is_this =
      run != point.recording.latest.end() &&
      part_of(run->second.result, point.tuple_index).at(point.position) ==
          point.result();
  if (is_this) story.use({wrapped->root, point.tuple_index, point.index});
  story.copy_of(point.result(), name + " = " + value_text(point.result()));
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
    return say_number_of_state(story);
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
  const Meeting* const meeting = meeting_of(point.recording, point.run);
  if (meeting != nullptr) return explain_meeting(story, *meeting);
  if (name.starts_with("copy-")) return explain_copy_halves(story);
  if (name == "async-start" || name == "async-update") {
    return explain_async_state(story);
  }
  if (name == "async-done") return explain_async_done(story);
  if (name.starts_with("send") || name.starts_with("recv")) {
    return explain_transfer(story);
  }
  const bool may_be_outside = name.starts_with("collective-permute") ||
                              name.starts_with("collective-broadcast");
  if (may_be_outside && !name.ends_with("-start")) {
    return explain_outside(story);
  }
  story.first_operands();
  story.say("the devices of its group give " + value_text(point.result()));
}

}  // namespace hlo::conformance
