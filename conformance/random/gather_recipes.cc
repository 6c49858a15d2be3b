#include "conformance/random/gather_recipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/random/region_recipes.h"

namespace hlo::conformance {

namespace {

using Sizes = std::vector<int64_t>;

bool contains(const Sizes& values, int64_t value) {
  return std::ranges::find(values, value) != values.end();
}

// What gather and scatter share: where windows begin and how they lie.
struct Windows {
  Value operand;
  std::string indices;
  Sizes slice_sizes;
  Sizes dropped;           // dimensions that windows do not have
  Sizes operand_batching;  // and these
  Sizes indices_batching;
  Sizes index_map;
  int64_t vector_dim = 0;
  Sizes result_dims;  // of windows and indices together
  Sizes window_dims;  // which of them are the windows'
};

std::string write_indices(ProgramWriter& writer, const Sizes& dims) {
  constexpr std::array kTypes = {ElementType::kS32, ElementType::kS64,
                                 ElementType::kU8, ElementType::kU32,
                                 ElementType::kS4};
  return writer.operand(writer.draw.of(kTypes), dims);
}

void choose_slices(ProgramWriter& writer, Windows& windows) {
  Draw& draw = writer.draw;
  const Shape& shape = windows.operand.shape;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const int64_t size = shape.dims[static_cast<size_t>(d)];
    const int64_t kind = draw.between(0, 5);
    const int64_t one = std::min<int64_t>(size, 1);
    if (kind == 0) windows.operand_batching.push_back(d);
    if (kind == 1 || kind == 2) windows.dropped.push_back(d);
    windows.slice_sizes.push_back(kind < 3 ? one : draw.between(0, size));
  }
}

// The dimensions of the indices, without those of their vectors.
Sizes choose_places(ProgramWriter& writer, Windows& windows) {
  Draw& draw = writer.draw;
  const Shape& shape = windows.operand.shape;
  Sizes places;
  for (const int64_t d : windows.operand_batching) {
    places.push_back(shape.dims[static_cast<size_t>(d)]);
  }
  for (int64_t n = draw.between(0, 2); n > 0; --n) {
    places.push_back(draw.between(0, 3));
  }
  const Sizes order = draw.permutation(static_cast<int64_t>(places.size()));
  Sizes result(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    result[static_cast<size_t>(order[i])] = places[i];
    if (i < windows.operand_batching.size()) {
      windows.indices_batching.push_back(order[i]);
    }
  }
  return result;
}

void choose_indices(ProgramWriter& writer, Windows& windows, Sizes dims) {
  Draw& draw = writer.draw;
  Sizes free;
  for (int64_t d = 0; d < windows.operand.shape.rank(); ++d) {
    if (!contains(windows.operand_batching, d)) free.push_back(d);
  }
  for (const int64_t i :
       draw.distinct(static_cast<int64_t>(free.size()), draw.between(0, 3))) {
    windows.index_map.push_back(free[static_cast<size_t>(i)]);
  }
  const auto rank = static_cast<int64_t>(dims.size());
  windows.vector_dim = draw.between(0, rank);
  if (windows.index_map.size() == 1 && draw.one_in(2)) {
    windows.vector_dim = rank;
  } else {
    dims.insert(dims.begin() + windows.vector_dim,
                static_cast<int64_t>(windows.index_map.size()));
    for (int64_t& d : windows.indices_batching) {
      if (d >= windows.vector_dim) ++d;
    }
  }
  windows.indices = write_indices(writer, dims);
}

Windows choose_windows(ProgramWriter& writer) {
  Windows windows;
  windows.operand = writer.array();
  choose_slices(writer, windows);
  const Sizes places = choose_places(writer, windows);
  choose_indices(writer, windows, places);
  Sizes window;
  for (int64_t d = 0; d < windows.operand.shape.rank(); ++d) {
    if (contains(windows.dropped, d)) continue;
    if (contains(windows.operand_batching, d)) continue;
    window.push_back(windows.slice_sizes[static_cast<size_t>(d)]);
  }
  const auto rank = static_cast<int64_t>(window.size() + places.size());
  windows.window_dims =
      writer.draw.distinct(rank, static_cast<int64_t>(window.size()));
  std::ranges::sort(windows.window_dims);
  for (int64_t d = 0, w = 0, p = 0; d < rank; ++d) {
    windows.result_dims.push_back(contains(windows.window_dims, d)
                                      ? window[static_cast<size_t>(w++)]
                                      : places[static_cast<size_t>(p++)]);
  }
  return windows;
}

void write_gather(ProgramWriter& writer, const Op& op) {
  const Windows windows = choose_windows(writer);
  std::string attributes = fmt::format(
      "offset_dims={}, collapsed_slice_dims={}, start_index_map={}, "
      "index_vector_dim={}, slice_sizes={}",
      list(windows.window_dims), list(windows.dropped), list(windows.index_map),
      windows.vector_dim, list(windows.slice_sizes));
  if (!windows.operand_batching.empty()) {
    attributes += fmt::format(
        ", operand_batching_dims={}, start_indices_batching_dims={}",
        list(windows.operand_batching), list(windows.indices_batching));
  }
  writer.add("", op.name, {windows.operand.name, windows.indices}, attributes);
}

void write_scatter(ProgramWriter& writer, const Op& op) {
  const Windows windows = choose_windows(writer);
  const ElementType type = windows.operand.shape.element_type;
  std::string attributes = fmt::format(
      "update_window_dims={}, inserted_window_dims={}, "
      "scatter_dims_to_operand_dims={}, index_vector_dim={}",
      list(windows.window_dims), list(windows.dropped), list(windows.index_map),
      windows.vector_dim);
  if (!windows.operand_batching.empty()) {
    attributes += fmt::format(
        ", input_batching_dims={}, scatter_indices_batching_dims={}",
        list(windows.operand_batching), list(windows.indices_batching));
  }
  const std::string updates = writer.operand(type, windows.result_dims);
  writer.add("", op.name, {windows.operand.name, windows.indices, updates},
             attributes + ", to_apply=" + write_reducer(writer, type));
}

}  // namespace

std::span<const NamedRecipe> gather_recipes() {
  static constexpr std::array kRecipes = std::to_array<NamedRecipe>({
      {"gather", write_gather},
      {"scatter", write_scatter},
  });
  return kRecipes;
}

}  // namespace hlo::conformance
