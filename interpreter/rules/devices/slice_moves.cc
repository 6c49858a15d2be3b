#include "interpreter/rules/devices/slice_moves.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "interpreter/error.h"

namespace hlo {
namespace {

constexpr std::string_view kRule = "collective-permute.slice";

/// slice_sizes={{2,8},{1,4}}.
std::vector<Ints> slice_sizes(const Instruction& permute) {
  const std::string& text = permute.get<Verbatim>("slice_sizes").text;
  std::vector<Ints> sizes;
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

void check_sizes(const Ints& sizes, const Shape& input, const Shape& output) {
  bool fits =
      std::ssize(sizes) == input.rank() && std::ssize(sizes) == output.rank();
  for (size_t d = 0; fits && d < sizes.size(); ++d) {
    fits = sizes[d] >= 0 && sizes[d] <= input.dims[d] &&
           sizes[d] <= output.dims[d];
  }
  require_evaluable(
      fits && input.element_type == output.element_type, kRule,
      {"a slice of sizes ", sizes, " goes from ", input, " to ", output},
      "it must fit into both, and their types must be equal");
}

/// Each array has as many lists, one for each slice.
const Ints& sizes_of(const std::vector<Ints>& sizes, size_t arrays,
                     const SliceMove& move) {
  const size_t number = sizes.size() / arrays * move.array + move.slice;
  require_evaluable(
      number < sizes.size(), kRule,
      {"slice ", number, " has no size: there are ",
       Count{std::ssize(sizes), "list of sizes", "lists of sizes"}},
      "each must have one");
  return sizes[number];
}

/// The elements of a tuple, or the one array.
std::vector<const Shape*> arrays_of(const Shape& operand) {
  std::vector<const Shape*> arrays;
  if (!operand.is_tuple()) return {&operand};
  for (const Shape& array : operand.tuple_shapes) arrays.push_back(&array);
  return arrays;
}

}  // namespace

std::map<int64_t, size_t> members_by_id(const Instruction& permute,
                                        const Grid& grid,
                                        std::span<const int64_t> devices) {
  const GroupMode mode = group_mode(permute);
  std::map<int64_t, size_t> members;
  for (size_t i = 0; i < devices.size(); ++i) {
    members[id_of(device_of(devices[i], grid), mode, grid)] = i;
  }
  return members;
}

std::vector<SliceMove> slice_moves(const Instruction& permute, const Grid& grid,
                                   std::span<const int64_t> devices,
                                   const Shape& inputs, const Shape& outputs) {
  const auto members = members_by_id(permute, grid, devices);
  const std::vector<Ints> sizes = slice_sizes(permute);
  const std::vector<const Shape*> from = arrays_of(inputs);
  const std::vector<const Shape*> to = arrays_of(outputs);
  std::map<int64_t, size_t> sent;
  std::map<int64_t, size_t> received;
  std::vector<SliceMove> moves;
  for (const auto& pair : permute.get<IntPairs>("source_target_pairs")) {
    const auto source = members.find(pair.first);
    if (source == members.end()) continue;
    SliceMove move{.pair = pair,
                   .source = source->second,
                   .target = members.at(pair.second),
                   .slice = sent[pair.first]++,
                   .place = received[pair.second]++,
                   .sizes = {}};
    for (size_t a = 0; a < from.size(); ++a) {
      move.array = a;
      move.sizes = sizes_of(sizes, from.size(), move);
      check_sizes(move.sizes, *from[a], *to.at(a));
      moves.push_back(move);
    }
  }
  return moves;
}

Ints slice_offset(const Shape& offsets, size_t k, const Shape& array,
                  const Ints& sizes, const IntegerAt& integer_at) {
  const bool several =
      !offsets.tuple_shapes.empty() && offsets.tuple_shapes[0].is_tuple();
  require_evaluable(!several || k < offsets.tuple_shapes.size(), kRule,
                    {"slice ", k, " has no offset: there are ",
                     Count{std::ssize(offsets.tuple_shapes), "offset"}},
                    "each must have one");
  const Shape& indices = several ? offsets.tuple_shapes[k] : offsets;
  Ints offset;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const Shape& index = indices.tuple_shapes.at(d);
    require_evaluable(index.is_scalar() && is_integer(index.element_type),
                      kRule, {"index ", d, " of an offset is ", index},
                      "it must be an integer");
    const std::array place = {k, d};
    const int64_t first = integer_at(std::span(place).subspan(several ? 0 : 1));
    offset.push_back(std::clamp<int64_t>(first, 0, array.dims[d] - sizes[d]));
  }
  return offset;
}

}  // namespace hlo
