#include "interpreter/devices/permute.h"

#include <map>
#include <utility>

#include "interpreter/devices/communication.h"
#include "interpreter/rules/devices/device_rules.h"

namespace hlo {
namespace {

Ints offset_of(const Literal& offsets, size_t k, const Shape& array,
               const Ints& sizes) {
  return slice_offset(offsets.shape(), k, array, sizes,
                      [&](std::span<const size_t> place) {
                        const Literal* index = &offsets;
                        for (const size_t e : place) {
                          index = &index->elements()[e];
                        }
                        return index->integer(0);
                      });
}

SliceTransfer with_offsets(const Meeting& meeting, const SliceMove& move) {
  const std::vector<Literal>& source = meeting.operands[move.source];
  const std::vector<Literal>& target = meeting.operands[move.target];
  const bool is_tuple = target[1].shape().is_tuple();
  const size_t a = move.array;
  const Literal& from = is_tuple ? source[2].elements().at(a) : source[2];
  const Literal& to = is_tuple ? target[3].elements().at(a) : target[3];
  const Shape input = arrays_of(source[0])[a].shape();
  const Shape output = arrays_of(target[1])[a].shape();
  return {move, offset_of(from, move.slice, input, move.sizes),
          offset_of(to, move.place, output, move.sizes)};
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
  return members_by_id(*meeting.collective, meeting.grid, meeting.devices);
}

std::vector<SliceTransfer> slice_transfers(const Meeting& meeting) {
  const std::vector<Literal>& first = meeting.operands[0];
  std::vector<SliceTransfer> transfers;
  for (const SliceMove& move :
       slice_moves(*meeting.collective, meeting.grid, meeting.devices,
                   first[0].shape(), first[1].shape())) {
    transfers.push_back(with_offsets(meeting, move));
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
