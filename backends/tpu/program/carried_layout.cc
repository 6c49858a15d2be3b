#include "backends/tpu/program/carried_layout.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "backends/tpu/program/assign_layout.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

/// For each dimension of the operand the one that it becomes.
using Places = std::optional<Ints>;

Places transposed(const Instruction& transpose) {
  const Ints& from = transpose.get<Ints>("dimensions");
  Ints places(from.size());
  for (size_t d = 0; d < from.size(); ++d) {
    places[static_cast<size_t>(from[d])] = static_cast<int64_t>(d);
  }
  return places;
}

/// Dimensions of the operand that a reshape makes to some of the result, the
/// elements in the same order: the last ones of both.
struct Reshaped {
  size_t from;
  size_t to;
  bool is_whole;  // these are all of them
};

/// Sizes of 1 left out. Nothing where there are no elements.
std::optional<std::vector<Reshaped>> reshaped_dimensions(const Ints& from,
                                                         const Ints& to) {
  std::vector<Reshaped> all;
  for (size_t i = 0, j = 0;; ++i, ++j) {
    while (i < from.size() && from[i] == 1) ++i;
    while (j < to.size() && to[j] == 1) ++j;
    if (i == from.size() && j == to.size()) return all;
    if (i == from.size() || j == to.size()) return std::nullopt;
    const size_t first_from = i;
    const size_t first_to = j;
    int64_t of_from = from[i];
    int64_t of_to = to[j];
    while (of_from != of_to) {
      size_t& next = of_from < of_to ? i : j;
      const Ints& dims = of_from < of_to ? from : to;
      if (++next == dims.size()) return std::nullopt;
      (of_from < of_to ? of_from : of_to) *= dims[next];
    }
    all.push_back({i, j, i == first_from && j == first_to});
  }
}

/// Where dimensions that are split or merged are not cut within a tile of the
/// operand: each goes to its last factor, or to what it is the last factor of,
/// whole tiles of it. -1 for a size of 1, and for other factors.
Places reshaped(const Ints& from, const Ints& to, const Layout& layout) {
  const auto dimensions = reshaped_dimensions(from, to);
  if (!dimensions) return std::nullopt;
  Ints places(from.size(), -1);
  Ints tile(from.size(), 1);
  const Ints& sizes = layout.tiles.front().dims;
  for (size_t k = 0; k < std::min(sizes.size(), from.size()); ++k) {
    const int64_t size = sizes[sizes.size() - 1 - k];
    tile[static_cast<size_t>(layout.minor_to_major[k])] = size;
  }
  for (const Reshaped& each : *dimensions) {
    places[each.from] = static_cast<int64_t>(each.to);
    const int64_t size = tile[each.from];
    const bool are_tiles =
        size > 0 && from[each.from] % size == 0 && to[each.to] % size == 0;
    if (!each.is_whole && !are_tiles) return std::nullopt;
  }
  // What a tile extends along must have a place.
  for (size_t d = 0; d < from.size(); ++d) {
    if (places[d] < 0 && from[d] != 1 && tile[d] != 1) return std::nullopt;
  }
  return places;
}

Places kept(const Instruction& movement) {
  Ints places(movement.shape.dims.size());
  for (size_t d = 0; d < places.size(); ++d) {
    places[d] = static_cast<int64_t>(d);
  }
  return places;
}

/// The operand's dimensions with the last one in elements as wide as the
/// result's, whose bits follow each other. Nothing where that cuts one.
std::optional<Ints> dims_in_elements_of(const Shape& result,
                                        const Shape& operand) {
  const int64_t from = storage_bytes(operand.element_type);
  const int64_t to = storage_bytes(result.element_type);
  Ints dims = operand.dims;
  if (from == to) return dims;
  int64_t bytes = 0;  // of a row
  if (dims.empty() || __builtin_mul_overflow(dims.back(), from, &bytes) ||
      bytes % to != 0) {
    return std::nullopt;
  }
  dims.back() = bytes / to;
  return dims;
}

/// A bitcast of a row-major array has its elements, or their bits, in the order
/// that a reshape has. What is read of a layout that the program states lies in
/// the order of its bytes, row-major: the assigned layout where none pads less.
Places bitcast(const Instruction& bitcast, const Layout& layout) {
  const Shape& from = bitcast.operand_shape(0);
  const Shape& to = bitcast.shape;
  const auto dims = dims_in_elements_of(to, from);
  const bool reads_layouts = bitcast.op->form != Form::kBits;
  if (!dims || (reads_layouts && is_asked_for(from)) ||
      from.has_dynamic_dimensions() || to.has_dynamic_dimensions()) {
    return std::nullopt;
  }
  return reshaped(*dims, to.dims, layout);
}

Places places_of(const Instruction& instruction, const Layout& layout) {
  constexpr std::array kKeepers = std::to_array<std::string_view>(
      {"copy", "dynamic-slice", "dynamic-update-slice", "pad", "reverse",
       "slice"});
  const std::string_view name = instruction.op->name;
  if (name == "transpose") return transposed(instruction);
  if (name == "bitcast" || instruction.op->form == Form::kBits) {
    return bitcast(instruction, layout);
  }
  if (name == "reshape") {
    return reshaped(instruction.operand_shape(0).dims, instruction.shape.dims,
                    layout);
  }
  if (std::ranges::find(kKeepers, name) != kKeepers.end()) {
    return kept(instruction);
  }
  return std::nullopt;
}

/// The order of the result's dimensions; those without a place in the operand
/// are the most major ones.
std::vector<int64_t> carried_order(const std::vector<int64_t>& order,
                                   const Ints& places, int64_t rank) {
  std::vector<int64_t> carried;
  for (const int64_t d : order) {
    const int64_t place = places[static_cast<size_t>(d)];
    if (place >= 0) carried.push_back(place);
  }
  for (int64_t d = rank; d-- > 0;) {
    if (std::ranges::find(carried, d) == carried.end()) carried.push_back(d);
  }
  return carried;
}

}  // namespace

bool fills_any_layout(const Instruction& instruction) {
  return instruction.op->name == "iota" ||
         (instruction.op->name == "broadcast" &&
          instruction.operand_shape(0).is_scalar());
}

std::optional<Shape> carried_layout(const Generation& generation,
                                    const Instruction& instruction,
                                    const Shape& operand) {
  if (!instruction.shape.is_array() || instruction.shape.rank() < 2 ||
      !operand.is_array() || operand.layout->tiles.empty()) {
    return std::nullopt;
  }
  const Places places = places_of(instruction, *operand.layout);
  if (!places) return std::nullopt;
  const Shape best = with_assigned_layout(generation, instruction.shape);
  Shape carried = with_order(generation, instruction.shape,
                             carried_order(operand.layout->minor_to_major,
                                           *places, instruction.shape.rank()));
  if (slots_in_tiles(carried) > slots_in_tiles(best)) return std::nullopt;
  return carried;
}

}  // namespace hlo::tpu
