#include "conformance/explain/rules/explain_permuted.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "conformance/explain/story/explain_joined.h"
#include "interpreter/devices/permute.h"
#include "interpreter/rules/devices/device_rules.h"

namespace hlo::conformance {
namespace {

using Pair = std::pair<int64_t, int64_t>;

std::string pair_text(const Pair& pair) {
  return fmt::format("the pair {{{},{}}}", pair.first, pair.second);
}

/// An element of a member's operand.
void copy_from(Story& story, const Seat& seat, size_t member, size_t operand,
               const Literal& array, const Index& index) {
  const Scalar from = array.at(index);
  story.copy_of(from, fmt::format("element {} of operand {} of {} = {}",
                                  index_text(index), operand, seat.name(member),
                                  value_text(from)));
}

/// The index in the source's input of what lies at `index` in the target's
/// output; nothing where it is not in the slice.
std::optional<Index> source_index(const SliceTransfer& transfer,
                                  const Index& index) {
  Index source = index;
  for (size_t d = 0; d < index.size(); ++d) {
    const int64_t within = index[d] - transfer.to[d];
    if (within < 0 || within >= transfer.sizes[d]) return std::nullopt;
    source[d] = within + transfer.from[d];
  }
  return source;
}

void explain_in_place(Story& story, const Seat& seat) {
  const Point& point = story.point();
  const size_t array =
      point.tuple_index.empty() ? 0 : static_cast<size_t>(point.tuple_index[0]);
  std::vector<std::string> lines;
  std::optional<SliceTransfer> last;
  for (const SliceTransfer& transfer : slice_transfers(seat.meeting)) {
    if (transfer.target != seat.member || transfer.array != array) continue;
    const bool covers = source_index(transfer, point.index).has_value();
    lines.push_back(fmt::format(
        "{}: slice {} of {}, of sizes {}, from {} to place {} here, {}{}",
        pair_text(transfer.pair), transfer.slice, seat.name(transfer.source),
        index_text(transfer.sizes), index_text(transfer.from), transfer.place,
        index_text(transfer.to), covers ? "" : ": beside this element"));
    if (covers) last = transfer;
  }
  if (lines.empty()) story.say("no pair has this device as its target");
  list_terms(story, lines);
  if (!last) {
    const Literal& output = seat.meeting.operands[seat.member][1];
    return copy_from(story, seat, seat.member, 1, arrays_of(output)[array],
                     point.index);
  }
  if (lines.size() > 1) story.say("the last of them that covers it stays");
  const Literal& input = seat.meeting.operands[last->source][0];
  copy_from(story, seat, last->source, 0, arrays_of(input)[array],
            *source_index(*last, point.index));
}

}  // namespace

void explain_permuted(Story& story, const Seat& seat) {
  const Point& point = story.point();
  if (is_in_place(*seat.meeting.collective)) {
    return explain_in_place(story, seat);
  }
  const auto members = members_by_id(seat.meeting);
  const size_t k =
      point.tuple_index.empty() ? 0 : static_cast<size_t>(point.tuple_index[0]);
  for (const Pair& pair :
       seat.meeting.collective->get<IntPairs>("source_target_pairs")) {
    const auto target = members.find(pair.second);
    if (target == members.end() || target->second != seat.member) continue;
    story.say(pair_text(pair) + " has this device as its target");
    const size_t source = members.at(pair.first);
    return copy_from(story, seat, source, k, seat.meeting.operands[source][k],
                     point.index);
  }
  story.copy_of(Scalar{point.array.type(), {}},
                "a zero: no pair has this device as its target");
}

}  // namespace hlo::conformance
