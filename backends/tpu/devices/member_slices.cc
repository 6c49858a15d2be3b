#include "backends/tpu/devices/member_slices.h"

#include <algorithm>
#include <utility>

#include "backends/tpu/devices/collected.h"
#include "backends/tpu/machine/scalar_read.h"
#include "backends/tpu/machine/scalar_write.h"
#include "backends/tpu/operations/fills/fill.h"
#include "backends/tpu/program/assign_layout.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/devices/slice_moves.h"

namespace hlo::tpu {
namespace {

const Value& array_of(const Value& operand, size_t a) {
  return operand.shape.is_tuple() ? operand.elements.at(a) : operand;
}

Ints offset_of(Machine& machine, const Value& offsets, size_t k,
               const Shape& array, const Ints& sizes) {
  return slice_offset(offsets.shape, k, array, sizes,
                      [&](std::span<const size_t> place) {
                        const Value* index = &offsets;
                        for (const size_t e : place)
                          index = &index->elements[e];
                        return integer_at(machine, index->array, 0);
                      });
}

/// Where a slice is read and written.
struct Places {
  Ints sizes;
  Ints from;
  Ints to;
};

/// The output with the slice of the input in it.
Value with_slice(Machine& machine, const Value& input, const Value& output,
                 const Places& places) {
  const Ints& dims = output.shape.dims;
  machine.evaluator.budget().spend(output.shape.element_count());
  const auto source_of = [&](int64_t position) {
    Index index = delinearize(position, dims);
    for (size_t d = 0; d < index.size(); ++d) {
      index[d] -= places.to[d];
      if (index[d] < 0 || index[d] >= places.sizes[d]) {
        return TileOrder::kPadding;
      }
      index[d] += places.from[d];
    }
    return linearize(index, input.shape.dims);
  };
  return {.shape = output.shape,
          .array = patched(machine, output.array, input.array, source_of)};
}

void carry(const Group& group, const SliceMove& move, Value& output) {
  const std::vector<Value>& source = group.meeting.operands[move.source];
  const std::vector<Value>& target = group.meeting.operands[move.target];
  const bool tuples = target[1].shape.is_tuple();
  const size_t a = move.array;
  const Value& input = array_of(source[0], a);
  Places places{move.sizes,
                offset_of(*group.machines[move.source],
                          tuples ? source[2].elements.at(a) : source[2],
                          move.slice, input.shape, move.sizes),
                offset_of(*group.machines[move.target],
                          tuples ? target[3].elements.at(a) : target[3],
                          move.place, output.shape, move.sizes)};
  Machine& machine = *group.machines[move.target];
  if (machine.has(Fault::kSliceATileEarly) && !places.to.empty()) {
    places.to.back() = std::max<int64_t>(0, places.to.back() - kLanesOfSublane);
  }
  output = with_slice(machine, input, output, places);
}

MemberResults permuted_slices(const Group& group) {
  std::vector<Value> outputs;
  for (const auto& operands : group.meeting.operands) {
    outputs.push_back(operands[1]);
  }
  const bool tuples = outputs[0].shape.is_tuple();
  for (const SliceMove& move : slice_moves(
           *group.meeting.collective, group.meeting.grid, group.meeting.devices,
           group.meeting.operands[0][0].shape, outputs[0].shape)) {
    Value& output = outputs[move.target];
    carry(group, move, tuples ? output.elements[move.array] : output);
  }
  MemberResults results;
  for (Value& output : outputs) {
    results.push_back(std::make_shared<const Value>(std::move(output)));
  }
  return results;
}

/// Rows [from, from + count) of member `source` go to row `to`.
struct RowsMove {
  size_t source;
  int64_t from;
  int64_t count;
  int64_t to;
};

/// An integer of operands 2 to 5 of a member: offsets and sizes of what it
/// sends, offsets in outputs, sizes of what it receives.
int64_t number_at(const Group& group, size_t member, size_t operand,
                  int64_t place) {
  return integer_at(*group.machines[member],
                    group.meeting.operands[member][operand].array, place);
}

/// How many slices each member sends to each.
int64_t slices_of(const Group& group) {
  const Shape& offsets = group.meeting.operands[0][2].shape;
  const auto count = static_cast<int64_t>(group.size());
  const int64_t slices = offsets.element_count();
  require_evaluable(
      slices % count == 0 && (offsets.rank() == 1 || offsets.dims[0] == count),
      "ragged-all-to-all.members",
      {"the offsets are ", offsets, " for ", Count{count, "member"}},
      "there must be as many for each member of a group");
  return slices / count;
}

void check_rows(const RowsMove& rows, const Shape& input, const Shape& output,
                int64_t received) {
  const auto fits = [&](int64_t first, const Shape& array) {
    const int64_t size = array.dims[0];
    return first >= 0 && rows.count >= 0 && first <= size &&
           rows.count <= size - first;
  };
  require_evaluable(fits(rows.from, input) && fits(rows.to, output),
                    "ragged-all-to-all.range",
                    {Count{rows.count, "row"}, " from row ", rows.from, " of ",
                     input, " go to row ", rows.to, " of ", output},
                    "these must be rows of the input and of the output");
  require_evaluable(received == rows.count, "ragged-all-to-all.sizes",
                    {"a member receives ", Count{received, "row"},
                     " and is sent ", rows.count},
                    "the two must be equal");
}

/// Which row of which member goes to each row of an output, as arrays of the
/// member that has it.
class RowOrigins {
 public:
  static constexpr int64_t kNobody = -1;

  RowOrigins(Machine& machine, int64_t rows)
      : machine_(machine),
        members_(numbers(machine, rows)),
        rows_(numbers(machine, rows)) {
    for (int64_t r = 0; r < rows; ++r) {
      write_integer(machine, members_, r, kNobody);
    }
  }

  /// What is written later stays.
  void write(const RowsMove& move) {
    if (members_.order->elements() == 0) return;
    machine_.evaluator.budget().spend(move.count);
    for (int64_t k = 0; k < move.count; ++k) {
      const int64_t to = move.to + k;
      write_integer(machine_, members_, to, static_cast<int64_t>(move.source));
      write_integer(machine_, rows_, to, move.from + k);
    }
  }

  int64_t member(int64_t r) const { return integer_at(machine_, members_, r); }

  int64_t row(int64_t r) const { return integer_at(machine_, rows_, r); }

 private:
  static TiledArray numbers(Machine& machine, int64_t rows) {
    return new_array(
        machine.memory,
        placed(*machine.generation, Shape::array(ElementType::kS64, {rows})));
  }

  Machine& machine_;
  TiledArray members_;
  TiledArray rows_;
};

/// Which rows member j gets.
RowOrigins origins_for(const Group& group, size_t j) {
  const int64_t slices = slices_of(group);
  const Shape& output = group.meeting.operands[j][1].shape;
  const bool is_empty = output.element_count() == 0;
  RowOrigins origins(*group.machines[j], is_empty ? 0 : output.dims[0]);
  for (size_t i = 0; i < group.size(); ++i) {
    for (int64_t u = 0; u < slices; ++u) {
      const int64_t at = static_cast<int64_t>(j) * slices + u;
      const RowsMove move{i, number_at(group, i, 2, at),
                          number_at(group, i, 3, at),
                          number_at(group, i, 4, at)};
      check_rows(move, group.meeting.operands[i][0].shape, output,
                 number_at(group, j, 5, static_cast<int64_t>(i) * slices + u));
      origins.write(move);
    }
  }
  return origins;
}

/// The output of member j with the rows that all send to it.
Value with_rows(const Group& group, size_t j, const RowOrigins& origins) {
  const Value& output = group.meeting.operands[j][1];
  const int64_t rows = output.shape.dims[0];
  const int64_t row = rows == 0 ? 0 : output.shape.element_count() / rows;
  if (row == 0) return output;
  std::vector<const TiledArray*> arrays = group.arrays(0);
  arrays.push_back(&output.array);
  return value_of(collected(
      *group.machines[j], output.shape, arrays, [&](int64_t position) {
        const int64_t r = position / row;
        const int64_t member = origins.member(r);
        if (member == RowOrigins::kNobody) {
          return Origin{arrays.size() - 1, position};
        }
        return Origin{static_cast<size_t>(member),
                      origins.row(r) * row + position % row};
      }));
}

}  // namespace

MemberResults permute_all(const Group& group) {
  const devices::Meeting<Value>& meeting = group.meeting;
  if (is_in_place(*meeting.collective)) return permuted_slices(group);
  const auto members =
      members_by_id(*meeting.collective, meeting.grid, meeting.devices);
  const Shape shape = one_or_tuple(meeting.operands[0]).shape;
  MemberResults results(group.size());
  for (const auto& pair :
       meeting.collective->get<IntPairs>("source_target_pairs")) {
    const auto source = members.find(pair.first);
    if (source == members.end()) continue;
    results[members.at(pair.second)] = std::make_shared<const Value>(
        one_or_tuple(meeting.operands[source->second]));
  }
  for (size_t j = 0; j < group.size(); ++j) {
    if (results[j] != nullptr) continue;
    results[j] =
        std::make_shared<const Value>(zeros(*group.machines[j], shape));
  }
  return results;
}

MemberResults exchange_ragged(const Group& group) {
  MemberResults results;
  for (size_t j = 0; j < group.size(); ++j) {
    results.push_back(std::make_shared<const Value>(
        with_rows(group, j, origins_for(group, j))));
  }
  return results;
}

}  // namespace hlo::tpu
