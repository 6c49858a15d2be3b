#include "interpreter/devices/permute.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "interpreter/devices/communication.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/device_rules.h"

namespace hlo {
namespace {

using Sizes = std::vector<Ints>;

/// slice_sizes={{2,8},{1,4}}.
Sizes slice_sizes(const Instruction& permute) {
  const std::string& text = permute.get<Verbatim>("slice_sizes").text;
  Sizes sizes;
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    int64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (error == std::errc() && depth == 2) {
      sizes.back().push_back(number);
      i = static_cast<size_t>(end - text.data());
      continue;
    }
    if (text[i] == '{' && ++depth == 2) sizes.emplace_back();
    if (text[i] == '}') --depth;
    ++i;
  }
  return sizes;
}

/// Offset `k` of a buffer: a tuple of indices, clamped so that the slice lies
/// in the buffer.
Ints offset_of(const Literal& offsets, size_t k, const Shape& buffer,
               const Ints& sizes) {
  const bool several =
      !offsets.elements().empty() && offsets.elements()[0].shape().is_tuple();
  require_evaluable(!several || k < offsets.elements().size(),
                    "collective-permute.slice",
                    {"slice ", k, " has no offset: there are ",
                     Count{std::ssize(offsets.elements()), "offset"}},
                    "each must have one");
  const Literal& indices = several ? offsets.elements()[k] : offsets;
  Ints result;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t last = buffer.dims[d] - sizes[d];
    const Literal& index = indices.elements().at(d);
    require_evaluable(index.shape().is_scalar() && is_integer(index.type()),
                      "collective-permute.slice",
                      {"index ", d, " of an offset is ", index.shape()},
                      "it must be an integer");
    result.push_back(std::clamp<int64_t>(index.integer(0), 0, last));
  }
  return result;
}

void check_sizes(const Ints& sizes, const Shape& input, const Shape& output) {
  bool fits =
      std::ssize(sizes) == input.rank() && std::ssize(sizes) == output.rank();
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    fits = sizes[d] >= 0 && sizes[d] <= input.dims[d] &&
           sizes[d] <= output.dims[d];
  }
  require_evaluable(
      fits && input.element_type == output.element_type,
      "collective-permute.slice",
      {"a slice of sizes ", sizes, " goes from ", input, " to ", output},
      "it must fit into both, and their types must be equal");
}

/// How many slices went from the sources, and came to the targets, so far.
struct Counts {
  std::map<int64_t, size_t> sent;
  std::map<int64_t, size_t> received;
};

/// What one pair carries of one array: slice number `sent` of the source, to
/// place number `received` of the target.
SliceTransfer slice_of(const Meeting& meeting, SliceTransfer transfer,
                       const Sizes& sizes) {
  const std::vector<Literal>& source = meeting.operands[transfer.source];
  const std::vector<Literal>& target = meeting.operands[transfer.target];
  const bool is_tuple = target[1].shape().is_tuple();
  const size_t a = transfer.array;
  const Literal from = is_tuple ? source[2].elements().at(a) : source[2];
  const Literal to = is_tuple ? target[3].elements().at(a) : target[3];
  const std::vector<Literal> inputs = arrays_of(source[0]);
  const Shape& input = inputs[a].shape();
  const Shape& output =
      is_tuple ? target[1].shape().tuple_shapes[a] : target[1].shape();
  const size_t number = sizes.size() / inputs.size() * a + transfer.slice;
  require_evaluable(
      number < sizes.size(), "collective-permute.slice",
      {"slice ", number, " has no size: there are ",
       Count{std::ssize(sizes), "list of sizes", "lists of sizes"}},
      "each must have one");
  transfer.sizes = sizes[number];
  check_sizes(transfer.sizes, input, output);
  transfer.from = offset_of(from, transfer.slice, input, transfer.sizes);
  transfer.to = offset_of(to, transfer.place, output, transfer.sizes);
  return transfer;
}

void write(const SliceTransfer& transfer, const Literal& input,
           Literal& output) {
  const auto count =
      Shape::array(output.type(), transfer.sizes).element_count();
  for (int64_t i = 0; i < count; ++i) {
    Index source = delinearize(i, transfer.sizes);
    Index target = source;
    for (size_t d = 0; d < source.size(); ++d) {
      source[d] += transfer.from[d];
      target[d] += transfer.to[d];
    }
    output.set(linearize(target, output.shape().dims), input.at(source));
  }
}

std::vector<Literal> permute_in_place(const Meeting& meeting) {
  std::vector<std::vector<Literal>> outputs;
  outputs.reserve(meeting.size());
  for (const auto& operands : meeting.operands) {
    outputs.push_back(arrays_of(operands[1]));
  }
  for (const SliceTransfer& transfer : slice_transfers(meeting)) {
    const Literal& inputs = meeting.operands[transfer.source][0];
    write(transfer, arrays_of(inputs)[transfer.array],
          outputs[transfer.target][transfer.array]);
  }
  const bool is_tuple = meeting.operands[0][1].shape().is_tuple();
  std::vector<Literal> results;
  results.reserve(meeting.size());
  for (const auto& arrays : outputs) {
    results.push_back(is_tuple ? Literal::tuple(arrays) : arrays[0]);
  }
  return results;
}

std::vector<Literal> permute_whole(const Meeting& meeting) {
  const std::map<int64_t, size_t> member = members_by_id(meeting);
  const Literal zeros(one_or_tuple(meeting.operands[0]).shape());
  std::vector<Literal> results(meeting.size(), zeros);
  for (const auto& [source, target] :
       meeting.collective->get<IntPairs>("source_target_pairs")) {
    const auto from = member.find(source);
    if (from == member.end()) continue;
    results[member.at(target)] = one_or_tuple(meeting.operands[from->second]);
  }
  return results;
}

std::vector<Literal> permute_all(const Meeting& meeting,
                                 Evaluator& /*evaluator*/) {
  return is_in_place(*meeting.collective) ? permute_in_place(meeting)
                                          : permute_whole(meeting);
}

/// What a device gets that no pair names.
Literal not_permuted(const Instruction& permute, Operands operands) {
  if (is_in_place(permute)) return operands[1];
  std::vector<Literal> values(operands.begin(), operands.end());
  return Literal(one_or_tuple(std::move(values)).shape());
}

}  // namespace

std::vector<Literal> arrays_of(const Literal& operand) {
  return operand.shape().is_tuple() ? operand.elements()
                                    : std::vector<Literal>{operand};
}

std::map<int64_t, size_t> members_by_id(const Meeting& meeting) {
  const GroupMode mode = group_mode(*meeting.collective);
  std::map<int64_t, size_t> member;
  for (size_t i = 0; i < meeting.size(); ++i) {
    const Device device = device_of(meeting.devices[i], meeting.grid);
    member[id_of(device, mode, meeting.grid)] = i;
  }
  return member;
}

std::vector<SliceTransfer> slice_transfers(const Meeting& meeting) {
  const std::map<int64_t, size_t> member = members_by_id(meeting);
  const Sizes sizes = slice_sizes(*meeting.collective);
  const size_t arrays = arrays_of(meeting.operands[0][0]).size();
  Counts counts;
  std::vector<SliceTransfer> transfers;
  for (const auto& pair :
       meeting.collective->get<IntPairs>("source_target_pairs")) {
    const auto from = member.find(pair.first);
    if (from == member.end()) continue;
    const size_t slice = counts.sent[pair.first]++;
    const size_t place = counts.received[pair.second]++;
    for (size_t a = 0; a < arrays; ++a) {
      transfers.push_back(slice_of(meeting,
                                   {.pair = pair,
                                    .source = from->second,
                                    .target = member.at(pair.second),
                                    .array = a,
                                    .slice = slice,
                                    .place = place,
                                    .from = {},
                                    .to = {},
                                    .sizes = {}},
                                   sizes));
    }
  }
  return transfers;
}

Future permute_arrays(const Instruction& permute, Operands operands,
                      Evaluator& evaluator) {
  if (is_in_place(permute)) require_whole(permute, operands);
  return hand_on(permute, operands, permute_all, evaluator,
                 not_permuted(permute, operands));
}

}  // namespace hlo
