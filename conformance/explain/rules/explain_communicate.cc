#include "conformance/explain/rules/explain_communicate.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/recording/find_origins.h"
#include "conformance/explain/rules/explain_permuted.h"
#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/story/explain_shared.h"
#include "conformance/explain/story/seat.h"
#include "conformance/explain/story/story.h"
#include "interpreter/counted.h"
#include "interpreter/evaluate.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo::conformance {
namespace {

/// Whether another operation ends what this one starts.
bool is_first_half(const Op& op) {
  return std::ranges::find(all_ops(), &op, &Op::start) != all_ops().end();
}

/// What comes with the second half.
void explain_first_half(Story& story) {
  story.first_operands();
  story.say("the value comes with its done; this half gives " +
            value_text(story.point().result()));
}

bool names_pairs(const Instruction& collective) {
  return collective.op->takes("source_target_pairs");
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
  Meeting meeting = seat.meeting;
  const size_t each = meeting.operands[0].size();
  for (size_t i = 0; i < operands.size(); ++i) {
    meeting.operands[i / each][i % each] = operands[i];
  }
  Evaluator evaluator(kReference);
  return meeting.rule(meeting, evaluator)[seat.member];
}

/// Which operands of each member are moved; the others say where to.
std::vector<size_t> movable(const Meeting& meeting) {
  const size_t each = meeting.operands[0].size();
  const Moving& moving = meeting.collective->op->moving;
  const bool has_places = moving.operands > 0;
  const bool has_root = meeting.collective->get_or("has_dynamic_root", false);
  std::vector<size_t> arrays;
  for (size_t i = 0; i < meeting.size() * each; ++i) {
    const bool moves = !(has_places && moving.says_where(i % each)) &&
                       (!has_root || i % each + 1 < each);
    if (moves && meeting.operands[i / each][i % each].shape().is_array()) {
      arrays.push_back(i);
    }
  }
  return arrays;
}

/// An element of one of the members, found by the rule of the operation.
void explain_moved(Story& story, const Seat& seat) {
  const Point& point = story.point();
  const auto result = [&](const std::vector<Literal>& operands) {
    return part_of(meet_again(seat, operands), point.tuple_index)
        .at(point.position);
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

/// The element of each member's operand that belongs to the result's element:
/// where the result is smaller, each member has a part of it.
Index index_in_member(const Point& point, const Seat& seat,
                      const Ints& operand) {
  const Ints& dims = point.array.shape().dims;
  Index index = point.index;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == operand[d]) continue;
    index[d] += static_cast<int64_t>(seat.member) * dims[d];
  }
  return index;
}

/// A combiner of whole arrays, of whose results the element at the index is
/// shown.
void explain_whole_arrays(Story& story, const Computation& combiner,
                          const Seat& seat, size_t k, const Index& index) {
  const auto operand = [&](const Literal& value, size_t parameter) {
    return converted(value, combiner.parameters[parameter]->shape.element_type);
  };
  Evaluator evaluator(kReference);
  Literal value = seat.meeting.operands[0].at(k);
  story.say(
      fmt::format("%{} joins whole arrays in their order, from that of {}",
                  combiner.name, seat.name(0)));
  const auto most = static_cast<size_t>(story.point().request.terms);
  const size_t count = seat.meeting.size() - 1;
  for (size_t m = 1; m <= count; ++m) {
    const Literal& next = seat.meeting.operands[m].at(k);
    value = evaluator.call(combiner, {operand(value, 0), operand(next, 1)});
    if (m > most) continue;
    story.say(fmt::format("  with {}: element {} = {}", seat.name(m),
                          index_text(index), value_text(value.at(index))));
  }
  say_rest(story, count);
  end_with(story, value.at(index), seat.meeting.operands[0].at(k).type());
}

void explain_combined(Story& story, const Seat& seat) {
  const Point& point = story.point();
  const Instruction& collective = *seat.meeting.collective;
  const size_t k = point.tuple_index.empty()
                       ? 0
                       : static_cast<size_t>(point.tuple_index.back());
  const Index index = index_in_member(
      point, seat, seat.meeting.operands[seat.member].at(k).shape().dims);
  story.use({start_of(point.instruction()).operands.at(k), {}, index});
  Terms terms;
  for (size_t m = 0; m < seat.meeting.size(); ++m) {
    terms.values.push_back(seat.meeting.operands[m].at(k).at(index));
  }
  terms.text = [&](size_t m) {
    return fmt::format("{}: element {} = {}", seat.name(m), index_text(index),
                       value_text(terms.values[m]));
  };
  list_terms(story, terms);
  const Computation& combiner = *collective.get<Computation*>("to_apply");
  if (combiner.root->shape.is_scalar() || terms.values.size() == 1) {
    return explain_joined(story, combiner, terms);
  }
  explain_whole_arrays(story, combiner, seat, k, index);
}

void explain_meeting(Story& story, const Meeting& meeting) {
  const Point& point = story.point();
  const Seat seat(point, meeting);
  story.say(fmt::format("{} meets {}", seat.name(seat.member),
                        counted(std::ssize(seat.meeting) - 1, "other")));
  if (is_first_half(*point.instruction().op)) return explain_first_half(story);
  if (meeting.collective->op->takes("to_apply")) {
    return explain_combined(story, seat);
  }
  if (names_pairs(*meeting.collective)) return explain_permuted(story, seat);
  explain_moved(story, seat);
}

/// Explains the result of a device that is in no pair, or in no group: a zero,
/// or what its start was given to write to.
void explain_outside(Story& story) {
  const Point& point = story.point();
  const Instruction& place = start_of(point.instruction());
  const auto start = point.recording.latest.find(&place);
  const bool is_done =
      &place != &point.instruction() && start != point.recording.latest.end();
  if (is_done && explain_shared(story, start->second)) return;
  const Scalar zero{point.array.type(), {}};
  if (point.result() != zero) return story.say_page();
  story.say(names_pairs(place) ? "no pair names this device"
                               : "no group has this device");
  story.copy_of(zero, "a zero");
}

void say_number_of_state(Story& story) {
  story.say("a number of the state, by which its done finds it: " +
            value_text(story.point().result()));
}

/// The element of the computation that an asynchronous operation runs.
std::string wrapped_element(const Computation& wrapped, const Ints& list,
                            const Index& index) {
  return "%" + wrapped.name + "/" +
         element_name(*wrapped.root, list, index).substr(1);
}

/// The state of an asynchronous operation: the operands that are bound, the
/// result to come, and what else there is.
void explain_async_state(Story& story) {
  const Point& point = story.point();
  const Ints& list = point.tuple_index;
  if (explain_shared(story, point.run)) return;
  const Computation* const wrapped = wrapped_computation(point.instruction());
  if (list.at(0) != 1 || wrapped == nullptr) return say_number_of_state(story);
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

/// Where the run of the computation is not known.
void say_result(Story& story, const std::string& name) {
  const Scalar result = story.point().result();
  story.copy_of(result, name + " = " + value_text(result));
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
  if (run == point.recording.latest.end()) return say_result(story, name);
  const Literal& ended = part_of(run->second.result, point.tuple_index);
  const ElementType type = point.result().type;
  if (converted(ended, type).at(point.position) != point.result()) {
    return say_result(story, name);  // a later run of the computation
  }
  story.use({wrapped->root, point.tuple_index, point.index});
  const Scalar from = ended.at(point.position);
  story.copy_of(from, name + " = " + value_text(from));
}

/// The send on the channel that the received data are of; null where it is not
/// known.
const std::pair<Device, Observed>* sender_of(const Point& point) {
  const auto channel = [](const Instruction& transfer) {
    return transfer.get_or<int64_t>("channel_id", 0);
  };
  const Instruction& recv = start_of(point.instruction());
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
  const Instruction& transfer = start_of(point.instruction());
  const Ints& list = point.tuple_index;
  story.say(fmt::format(
      "channel {}{}", transfer.get_or<int64_t>("channel_id", 0),
      transfer.get_or("is_host_transfer", false) ? ", to or from the host"
                                                 : ""));
  if (explain_shared(story, point.run)) return;
  if (list.empty() || list[0] != 0) return say_number_of_state(story);
  const Ints inner(list.begin() + 1, list.end());
  if (&transfer == &point.instruction()) {
    return story.say("the data come with the done");
  }
  const auto* const sender = sender_of(point);
  if (sender == nullptr) {
    return story.say("what was received: " + value_text(point.result()));
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
  const Instruction& instruction = point.instruction();
  const Instruction& start = start_of(instruction);
  const Meeting* const meeting = meeting_of(point.recording, point.run);
  if (meeting != nullptr) return explain_meeting(story, *meeting);
  if (instruction.op->form == Form::kAsync) {
    return instruction.op->carries_async ? explain_async_state(story)
                                         : explain_async_done(story);
  }
  if (has_token(start) && is_first_half(*start.op)) {
    return explain_transfer(story);
  }
  if (explain_shared(story, point.run)) return;
  if (is_first_half(*instruction.op)) return explain_first_half(story);
  if (names_pairs(start) || start.op->takes("replica_groups")) {
    return explain_outside(story);
  }
  story.say_page();
}

}  // namespace hlo::conformance
