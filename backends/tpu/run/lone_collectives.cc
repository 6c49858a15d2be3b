#include "backends/tpu/run/lone_collectives.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/fills/fill.h"
#include "interpreter/error.h"
#include "interpreter/model/storage.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

constexpr std::string_view kSlice = "collective-permute.slice";

/// The collective that the instruction runs or begins.
std::string_view plain_name(const Instruction& collective) {
  constexpr std::string_view kStart = "-start";
  std::string_view name = collective.op->name;
  if (name.ends_with(kStart)) name.remove_suffix(kStart.size());
  return name;
}

Value one_or_tuple(const Values& values) {
  if (values.size() == 1) return *values[0];
  Value tuple{.shape = Shape::tuple({})};
  for (const Value* value : values) {
    tuple.shape.tuple_shapes.push_back(value->shape);
    tuple.elements.push_back(*value);
  }
  return tuple;
}

bool is_whole(const Value& value) {
  return value.array.sizes.empty() &&
         std::ranges::all_of(value.elements, is_whole);
}

void require_whole(const Instruction& collective, const Values& operands) {
  for (const Value* operand : operands) {
    require_evaluable(is_whole(*operand), "evaluate.sizes",
                      {collective.op->name,
                       " is given an array that is smaller than its bounds"},
                      "it can take only arrays that are as large");
  }
}

int64_t integer(Machine& machine, const Value& array, int64_t position) {
  return read_elements(machine, array.array).integer(position);
}

bool has_dynamic_root(const Instruction& collective) {
  return collective.get_or<bool>("has_dynamic_root", false);
}

/// The arrays that are moved: without the roots behind them.
Values moved(const Instruction& collective, const Values& operands) {
  return {operands.begin(),
          operands.end() - (has_dynamic_root(collective) ? 1 : 0)};
}

/// The only member is the root of every array.
void check_roots(Machine& machine, const Instruction& broadcast,
                 const Values& operands) {
  const Value& given = *operands.back();
  const int64_t count = given.shape.element_count();
  const int64_t arrays = std::ssize(operands) - 1;
  require_evaluable(
      is_integer(given.shape.element_type) && (count == 1 || count == arrays),
      "collective-broadcast.roots",
      {"the roots of %", broadcast.name, " are ", given.shape, " for ",
       Count{arrays, "array"}},
      "there must be one integer, or one for each");
  for (int64_t i = 0; i < count; ++i) {
    const int64_t root = integer(machine, given, i);
    require_evaluable(root == 0, "collective-broadcast.roots",
                      {"a root is ", root, " in a group of one"},
                      "it must be the place of a member");
  }
}

/// The numbers of {{2,8},{1,4}}, list by list.
std::vector<Ints> lists_of(std::string_view text) {
  std::vector<Ints> lists;
  for (size_t open = text.find('{', 1); open != std::string_view::npos;
       open = text.find('{', open + 1)) {
    lists.emplace_back();
    const char* at = text.data() + open + 1;
    const char* const end = text.data() + text.size();
    for (; at != end && *at != '}'; ++at) {
      int64_t number = 0;
      const auto [next, error] = std::from_chars(at, end, number);
      if (error != std::errc()) continue;
      lists.back().push_back(number);
      at = next - 1;
    }
  }
  return lists;
}

/// A slice of one array that is written into another.
struct SliceMove {
  const Value& input;
  const Value& output;
  Ints sizes;
  Ints from = {};
  Ints to = {};
};

void check_sizes(const SliceMove& move) {
  const Shape& input = move.input.shape;
  const Shape& output = move.output.shape;
  bool fits = std::ssize(move.sizes) == input.rank() &&
              std::ssize(move.sizes) == output.rank() &&
              input.element_type == output.element_type;
  for (size_t d = 0; fits && d < move.sizes.size(); ++d) {
    const int64_t size = move.sizes[d];
    fits = size >= 0 && size <= std::min(input.dims[d], output.dims[d]);
  }
  require_evaluable(
      fits, kSlice,
      {"a slice of sizes ", move.sizes, " goes from ", input, " to ", output},
      "it must fit into both, and their types must be equal");
}

/// Offset k of an array, clamped so that the slice lies in it.
Ints offset_of(Machine& machine, const Value& offsets, size_t k,
               const Shape& array, const Ints& sizes) {
  const bool several =
      !offsets.elements.empty() && offsets.elements[0].shape.is_tuple();
  require_evaluable(!several || k < offsets.elements.size(), kSlice,
                    {"slice ", k, " has no offset"}, "each must have one");
  const Value& indices = several ? offsets.elements[k] : offsets;
  Ints offset;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const Value& index = indices.elements.at(d);
    require_evaluable(
        index.shape.is_scalar() && is_integer(index.shape.element_type), kSlice,
        {"index ", d, " of an offset is ", index.shape},
        "it must be an integer");
    offset.push_back(std::clamp<int64_t>(integer(machine, index, 0), 0,
                                         array.dims[d] - sizes[d]));
  }
  return offset;
}

/// The output with the slice in it.
Value moved_slice(Machine& machine, const SliceMove& move) {
  const Ints& dims = move.output.shape.dims;
  const auto source_of = [&](int64_t position) {
    Index index = delinearize(position, dims);
    for (size_t d = 0; d < index.size(); ++d) {
      index[d] -= move.to[d];
      if (index[d] < 0 || index[d] >= move.sizes[d]) return TileOrder::kPadding;
      index[d] += move.from[d];
    }
    return linearize(index, move.input.shape.dims);
  };
  return {.shape = move.output.shape,
          .array =
              patched(machine, move.output.array, move.input.array, source_of)};
}

const Value& part(const Value& value, size_t k) {
  return value.shape.is_tuple() ? value.elements.at(k) : value;
}

/// Writes slice number `number` of each array: input, output, offsets in both.
Value permuted_slices(Machine& machine, const Values& operands, Value output,
                      const std::vector<Ints>& sizes, size_t number) {
  const bool tuples = output.shape.is_tuple();
  const size_t arrays = tuples ? output.elements.size() : 1;
  for (size_t a = 0; a < arrays; ++a) {
    const size_t at = sizes.size() / arrays * a + number;
    require_evaluable(at < sizes.size(), kSlice, {"slice ", at, " has no size"},
                      "each must have one");
    Value& target = tuples ? output.elements[a] : output;
    SliceMove move{
        .input = part(*operands[0], a), .output = target, .sizes = sizes[at]};
    check_sizes(move);
    move.from =
        offset_of(machine, tuples ? operands[2]->elements.at(a) : *operands[2],
                  number, move.input.shape, move.sizes);
    move.to =
        offset_of(machine, tuples ? operands[3]->elements.at(a) : *operands[3],
                  number, target.shape, move.sizes);
    target = moved_slice(machine, move);
  }
  return output;
}

/// Each pair names the device that is alone, twice.
Value permuted(Machine& machine, const Instruction& permute,
               const Values& operands) {
  if (!is_in_place(permute)) return one_or_tuple(operands);
  const std::vector<Ints> sizes =
      lists_of(permute.get<Verbatim>("slice_sizes").text);
  const size_t pairs = permute.get<IntPairs>("source_target_pairs").size();
  Value output = *operands[1];
  for (size_t number = 0; number < pairs; ++number) {
    output = permuted_slices(machine, operands, output, sizes, number);
  }
  return output;
}

/// Rows [from, from + count) of the input go to row `to` of the output.
struct RowsMove {
  int64_t from;
  int64_t count;
  int64_t to;
};

void check_rows(const RowsMove& rows, const Values& operands,
                int64_t received) {
  const auto fits = [&](int64_t first, const Value& array) {
    const int64_t size = array.shape.dims[0];
    return first >= 0 && rows.count >= 0 && first <= size &&
           rows.count <= size - first;
  };
  require_evaluable(
      fits(rows.from, *operands[0]) && fits(rows.to, *operands[1]),
      "ragged-all-to-all.range",
      {Count{rows.count, "row"}, " from row ", rows.from, " of ",
       operands[0]->shape, " go to row ", rows.to, " of ", operands[1]->shape},
      "these must be rows of the input and of the output");
  require_evaluable(received == rows.count, "ragged-all-to-all.sizes",
                    {"a member receives ", Count{received, "row"},
                     " and is sent ", rows.count},
                    "the two must be equal");
}

Value exchanged_rows(Machine& machine, const Values& operands) {
  const Shape& offsets = operands[2]->shape;
  require_evaluable(offsets.rank() == 1 || offsets.dims[0] == 1,
                    "ragged-all-to-all.members",
                    {"the offsets are ", offsets, " for one member"},
                    "there must be as many for each member of a group");
  Value output = *operands[1];
  const int64_t size = output.shape.dims[0];
  const int64_t row = size == 0 ? 0 : output.shape.element_count() / size;
  for (int64_t u = 0; u < offsets.element_count(); ++u) {
    const RowsMove rows{integer(machine, *operands[2], u),
                        integer(machine, *operands[3], u),
                        integer(machine, *operands[4], u)};
    check_rows(rows, operands, integer(machine, *operands[5], u));
    const auto source_of = [&](int64_t position) {
      const int64_t at = position / row - rows.to;
      return at < 0 || at >= rows.count
                 ? TileOrder::kPadding
                 : (rows.from + at) * row + position % row;
    };
    output.array =
        patched(machine, output.array, operands[0]->array, source_of);
  }
  return output;
}

void check_combiner(const Instruction& reduction, const Values& operands) {
  const Shape& combined =
      (*reduction.get<Computation*>("to_apply")).root->shape;
  for (const Value* operand : operands) {
    require_evaluable(
        combined.is_scalar() || same_dims(combined, operand->shape),
        "collective.combiner",
        {"to_apply returns ", combined, " and an operand is ", operand->shape},
        "it must combine scalars, or whole operands");
  }
}

Value exchanged(const Instruction& exchange, const Values& operands) {
  if (exchange.find("dimensions") != nullptr) return *operands[0];
  require_evaluable(operands.size() == 1, "collective.exchange-operands",
                    {"there are ", Count{std::ssize(operands), "operand"},
                     " and one member in the group"},
                    "there must be one operand for each member");
  if (!exchange.shape.is_tuple()) return *operands[0];
  return {.shape = exchange.shape, .elements = {*operands[0]}};
}

/// What a device gets that is in no group.
Value outside(Machine& machine, const Instruction& collective,
              const Values& operands) {
  const std::string_view name = plain_name(collective);
  const bool permutes = name == "collective-permute";
  require_evaluable(
      permutes || name == "collective-broadcast", "collective.member",
      {"the device is in none of the groups"}, "it must be in one");
  if (permutes && is_in_place(collective)) return *operands[1];
  return zeros(machine, one_or_tuple(moved(collective, operands)).shape);
}

bool hands_on(const Instruction& collective) {
  const std::string_view name = plain_name(collective);
  return name == "collective-broadcast" ||
         (name == "collective-permute" && !is_in_place(collective));
}

}  // namespace

bool is_collective(const Instruction& instruction) {
  constexpr std::array kNames = std::to_array<std::string_view>(
      {"all-gather", "all-reduce", "all-to-all", "collective-broadcast",
       "collective-permute", "ragged-all-to-all", "reduce-scatter"});
  return std::ranges::find(kNames, plain_name(instruction)) != kNames.end();
}

Value meet_alone(Machine& machine, const Instruction& collective,
                 const Values& operands) {
  if (!hands_on(collective)) require_whole(collective, operands);
  const DeviceGroups groups = device_groups(collective, Grid{});
  if (groups.group_of.at(0) < 0) return outside(machine, collective, operands);
  const std::string_view name = plain_name(collective);
  if (name == "all-reduce" || name == "reduce-scatter") {
    check_combiner(collective, operands);
  }
  if (name == "all-to-all") return exchanged(collective, operands);
  if (name == "collective-permute") {
    return permuted(machine, collective, operands);
  }
  if (name == "ragged-all-to-all") return exchanged_rows(machine, operands);
  if (has_dynamic_root(collective)) check_roots(machine, collective, operands);
  return one_or_tuple(moved(collective, operands));
}

}  // namespace hlo::tpu
