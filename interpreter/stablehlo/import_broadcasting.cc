#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "interpreter/stablehlo/importer.h"

namespace hlo::stablehlo {
namespace {

/// CHLO's operations that broadcast their operands, and what they do then.
constexpr auto kNames =
    std::to_array<std::pair<std::string_view, std::string_view>>({
        {"chlo.broadcast_add", "stablehlo.add"},
        {"chlo.broadcast_and", "stablehlo.and"},
        {"chlo.broadcast_atan2", "stablehlo.atan2"},
        {"chlo.broadcast_compare", "stablehlo.compare"},
        {"chlo.broadcast_complex", "stablehlo.complex"},
        {"chlo.broadcast_divide", "stablehlo.divide"},
        {"chlo.broadcast_maximum", "stablehlo.maximum"},
        {"chlo.broadcast_minimum", "stablehlo.minimum"},
        {"chlo.broadcast_multiply", "stablehlo.multiply"},
        {"chlo.broadcast_next_after", "chlo.next_after"},
        {"chlo.broadcast_or", "stablehlo.or"},
        {"chlo.broadcast_polygamma", "chlo.polygamma"},
        {"chlo.broadcast_power", "stablehlo.power"},
        {"chlo.broadcast_remainder", "stablehlo.remainder"},
        {"chlo.broadcast_select", "stablehlo.select"},
        {"chlo.broadcast_shift_left", "stablehlo.shift_left"},
        {"chlo.broadcast_shift_right_arithmetic",
         "stablehlo.shift_right_arithmetic"},
        {"chlo.broadcast_shift_right_logical", "stablehlo.shift_right_logical"},
        {"chlo.broadcast_subtract", "stablehlo.subtract"},
        {"chlo.broadcast_xor", "stablehlo.xor"},
        {"chlo.broadcast_zeta", "chlo.zeta"},
    });

/// Which dimensions of a result of `rank` the operand's become: the last ones,
/// or those that the text gives for the operand of lower rank.
Ints places(const Conversion& c, const Instruction* operand, int64_t rank) {
  const int64_t own = operand->shape.rank();
  Ints dimensions;
  for (int64_t d = 0; d < own; ++d) dimensions.push_back(rank - own + d);
  if (own == rank) return dimensions;
  return c.ints("broadcast_dimensions", dimensions);
}

std::vector<int64_t> common_dims(const Conversion& c) {
  int64_t rank = 0;
  for (const Instruction* operand : c.operands) {
    rank = std::max(rank, operand->shape.rank());
  }
  std::vector<int64_t> dims(static_cast<size_t>(rank), 1);
  for (const Instruction* operand : c.operands) {
    const Ints at = places(c, operand, rank);
    c.require(std::ssize(at) == operand->shape.rank(), "stablehlo.needs",
              "broadcast_dimensions has an entry for each dimension");
    for (size_t d = 0; d < at.size(); ++d) {
      c.require(at[d] >= 0 && at[d] < rank, "stablehlo.needs",
                "broadcast_dimensions are dimensions of the result");
      int64_t& size = dims[static_cast<size_t>(at[d])];
      const int64_t own = operand->shape.dims[d];
      c.require(size == own || size == 1 || own == 1, "stablehlo.broadcast",
                "sizes that meet are equal, or one of them is 1");
      if (size == 1) size = own;
    }
  }
  return dims;
}

Instruction* expanded(const Conversion& c, Instruction* operand,
                      const std::vector<int64_t>& dims) {
  if (operand->shape.dims == dims) return operand;
  const Ints at = places(c, operand, std::ssize(dims));
  Ints kept;
  std::vector<int64_t> sizes;
  for (size_t d = 0; d < at.size(); ++d) {
    const int64_t own = operand->shape.dims[d];
    if (own != dims[static_cast<size_t>(at[d])]) continue;
    kept.push_back(at[d]);
    sizes.push_back(own);
  }
  return c.build().broadcast(c.build().reshape(operand, sizes), dims, kept);
}

Values broadcasting(const Conversion& c) {
  const auto* const row =
      std::ranges::find(kNames, std::string_view(c.op.name),
                        &decltype(kNames)::value_type::first);
  const std::vector<int64_t> dims = common_dims(c);
  Operation plain;
  plain.name = row->second;
  plain.attributes = c.op.attributes;
  plain.location = c.op.location;
  Conversion inner{plain, c.importer, c.scope, {}, c.shapes};
  for (Instruction* operand : c.operands) {
    inner.operands.push_back(expanded(c, operand, dims));
  }
  return find_converter(row->second)->convert(inner);
}

std::vector<ConverterRow> rows() {
  std::vector<ConverterRow> rows;
  rows.reserve(std::size(kNames));
  for (const auto& [name, plain] : kNames) rows.push_back({name, broadcasting});
  return rows;
}

}  // namespace

std::span<const ConverterRow> broadcasting_rows() {
  static const std::vector<ConverterRow> all = rows();
  return all;
}

}  // namespace hlo::stablehlo
