#include "interpreter/stablehlo/export/export_region.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/export/export_text.h"

namespace hlo::stablehlo {
namespace {

std::vector<RegionText> reducer(const Instruction& instruction) {
  return {{.body = instruction.get<Computation*>("to_apply")}};
}

/// The types of what a computation returns, which StableHLO's results have.
std::vector<ElementType> types_of(const Computation& computation) {
  std::vector<ElementType> types;
  for (const Shape& leaf : leaf_shapes(computation.root->shape)) {
    types.push_back(leaf.element_type);
  }
  return types;
}

/// Whether StableHLO promotes the operands to what the region joins.
bool promotes(const Instruction& instruction,
              const std::vector<ElementType>& types) {
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    const ElementType from = instruction.operand_shape(i).element_type;
    const ElementType to = types[i % types.size()];
    if (from != to && bits(from) >= bits(to)) return false;
  }
  return true;
}

bool reduce(Writer& writer, const Instruction& instruction, Leaves& result) {
  const auto types = types_of(*instruction.get<Computation*>("to_apply"));
  if (!promotes(instruction, types)) return false;
  result = plain_of_types(
      writer, instruction, "reduce",
      "dimensions = " + array_text(instruction.get<Ints>("dimensions")), types,
      reducer(instruction));
  return true;
}

bool map(Writer& writer, const Instruction& instruction, Leaves& result) {
  Ints dimensions;
  for (int64_t d = 0; d < instruction.shape.rank(); ++d) {
    dimensions.push_back(d);
  }
  result =
      plain(writer, instruction, "map",
            "dimensions = " + array_text(dimensions), reducer(instruction));
  return true;
}

bool sort(Writer& writer, const Instruction& instruction, Leaves& result) {
  result =
      plain(writer, instruction, "sort",
            fmt::format("dimension = {}, is_stable = {}",
                        int_text(instruction.get<Ints>("dimensions").at(0)),
                        instruction.get_or<bool>("is_stable", false)),
            reducer(instruction));
  return true;
}

/// Whether the region takes the elements of the first operands as they are:
/// StableHLO's result has the type that the region has.
bool takes_elements(const Instruction& instruction, const Computation& region) {
  for (size_t i = 0; i < region.parameters.size() / 2; ++i) {
    if (region.parameters[i]->shape.element_type !=
        instruction.operand_shape(i).element_type) {
      return false;
    }
  }
  return true;
}

bool scatter(Writer& writer, const Instruction& instruction, Leaves& result) {
  if (!takes_elements(instruction,
                      *instruction.get<Computation*>("to_apply"))) {
    return false;
  }
  const auto list = [&](std::string_view name) {
    return list_text(instruction.get_or<Ints>(name, {}));
  };
  result = plain(
      writer, instruction, "scatter",
      fmt::format(
          "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = "
          "{}, inserted_window_dims = {}, input_batching_dims = {}, "
          "scatter_indices_batching_dims = {}, scatter_dims_to_operand_dims = "
          "{}, index_vector_dim = {}>, indices_are_sorted = {}, "
          "unique_indices = {}",
          list("update_window_dims"), list("inserted_window_dims"),
          list("input_batching_dims"), list("scatter_indices_batching_dims"),
          list("scatter_dims_to_operand_dims"),
          instruction.get<int64_t>("index_vector_dim"),
          instruction.get_or<bool>("indices_are_sorted", false),
          instruction.get_or<bool>("unique_indices", false)),
      reducer(instruction));
  return true;
}

struct WindowText {
  Ints sizes, strides, base_dilations, window_dilations;
  IntPairs padding;
  bool has_reversal = false;
};

/// The window of an operand of that rank; a missing one is of size 1.
WindowText window_of(const Instruction& instruction, int64_t rank) {
  auto window = instruction.get_or<Window>("window", {});
  window.dims.resize(static_cast<size_t>(rank));
  WindowText text;
  for (const WindowDimension& d : window.dims) {
    text.sizes.push_back(d.size);
    text.strides.push_back(d.stride);
    text.base_dilations.push_back(d.base_dilation);
    text.window_dilations.push_back(d.window_dilation);
    text.padding.emplace_back(d.low, d.high);
    text.has_reversal = text.has_reversal || d.reversal;
  }
  return text;
}

bool reduce_window(Writer& writer, const Instruction& instruction,
                   Leaves& result) {
  const WindowText window =
      window_of(instruction, instruction.operand_shape(0).rank());
  const auto types = types_of(*instruction.get<Computation*>("to_apply"));
  if (window.has_reversal || !promotes(instruction, types)) return false;
  result = plain_of_types(
      writer, instruction, "reduce_window",
      fmt::format("base_dilations = {}, padding = {}, window_dilations = {}, "
                  "window_dimensions = {}, window_strides = {}",
                  array_text(window.base_dilations), pairs_text(window.padding),
                  array_text(window.window_dilations), array_text(window.sizes),
                  array_text(window.strides)),
      types, reducer(instruction));
  return true;
}

bool is_ones(const Ints& values) {
  return std::ranges::all_of(values, [](int64_t value) { return value == 1; });
}

bool select_and_scatter(Writer& writer, const Instruction& instruction,
                        Leaves& result) {
  const WindowText window =
      window_of(instruction, instruction.operand_shape(0).rank());
  if (window.has_reversal || !is_ones(window.base_dilations) ||
      !is_ones(window.window_dilations) ||
      !takes_elements(instruction, *instruction.get<Computation*>("select")) ||
      !takes_elements(instruction, *instruction.get<Computation*>("scatter"))) {
    return false;
  }
  result = plain_of_types(
      writer, instruction, "select_and_scatter",
      fmt::format("padding = {}, window_dimensions = {}, window_strides = {}",
                  pairs_text(window.padding), array_text(window.sizes),
                  array_text(window.strides)),
      types_of(*instruction.get<Computation*>("scatter")),
      {{.body = instruction.get<Computation*>("select")},
       {.body = instruction.get<Computation*>("scatter")}});
  return true;
}

constexpr ExportRow kRows[] = {
    {"map", map},
    {"reduce", reduce},
    {"reduce-window", reduce_window},
    {"scatter", scatter},
    {"select-and-scatter", select_and_scatter},
    {"sort", sort},
};

}  // namespace

ExportRows region_exporters() { return kRows; }

}  // namespace hlo::stablehlo
