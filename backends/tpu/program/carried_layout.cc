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

/// Where the sizes other than 1 are the same in the same order; -1 for a size
/// of 1 that has no place.
Places reshaped(const Instruction& reshape) {
  const Ints& from = reshape.operand_shape(0).dims;
  const Ints& to = reshape.shape.dims;
  Ints places(from.size(), -1);
  size_t next = 0;
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] == 1) continue;
    while (next < to.size() && to[next] == 1) ++next;
    if (next == to.size() || to[next] != from[d]) return std::nullopt;
    places[d] = static_cast<int64_t>(next++);
  }
  while (next < to.size() && to[next] == 1) ++next;
  return next == to.size() ? Places(places) : std::nullopt;
}

Places kept(const Instruction& movement) {
  Ints places(movement.shape.dims.size());
  for (size_t d = 0; d < places.size(); ++d) {
    places[d] = static_cast<int64_t>(d);
  }
  return places;
}

Places places_of(const Instruction& instruction) {
  constexpr std::array kKeepers = std::to_array<std::string_view>(
      {"copy", "dynamic-slice", "dynamic-update-slice", "pad", "reverse",
       "slice"});
  const std::string_view name = instruction.op->name;
  if (name == "transpose") return transposed(instruction);
  if (name == "reshape") return reshaped(instruction);
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
  const Places places = places_of(instruction);
  if (!places) return std::nullopt;
  const Shape best = with_assigned_layout(generation, instruction.shape);
  Shape carried = with_order(generation, instruction.shape,
                             carried_order(operand.layout->minor_to_major,
                                           *places, instruction.shape.rank()));
  if (slots_in_tiles(carried) > slots_in_tiles(best)) return std::nullopt;
  return carried;
}

}  // namespace hlo::tpu
