// spec/ops/scatter.md
#include <algorithm>
#include <iterator>
#include <optional>

#include "interpreter/error.h"
#include "interpreter/rules/dimensions/indices.h"
#include "interpreter/rules/dimensions/scatter_dimensions.h"
#include "interpreter/rules/dimensions/updates_rule.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"update_window_dims", AttributeKind::kInts, true},
    {"inserted_window_dims", AttributeKind::kInts, true},
    {"scatter_dims_to_operand_dims", AttributeKind::kInts, true},
    {"input_batching_dims", AttributeKind::kInts},
    {"scatter_indices_batching_dims", AttributeKind::kInts},
    {"index_vector_dim", AttributeKind::kInt, true},
    {"indices_are_sorted", AttributeKind::kBool},
    {"unique_indices", AttributeKind::kBool},
    {"to_apply", AttributeKind::kComputation, true},
};

bool is_sorted_dimensions(const Ints& dims, int64_t rank) {
  return are_dimensions(dims, rank) && std::ranges::is_sorted(dims);
}

bool fit(int64_t a, int64_t b) {
  return a == b || a == kUnbounded || b == kUnbounded;
}

int64_t at(const Shape& shape, int64_t d) {
  return shape.dims[static_cast<size_t>(d)];
}

void check_arrays(const Instruction& scatter) {
  const size_t operands = scatter.operands.size();
  require(operands >= 3 && operands % 2 == 1, "scatter.C1",
          {"there are ", Count{static_cast<int64_t>(operands), "operand"}},
          "they must be n arrays, the indices, then n updates");
  const size_t n = operands / 2;
  for (size_t i = 0; i < n; ++i) {
    const Shape& operand = scatter.operand_shape(i);
    const Shape& update = scatter.operand_shape(n + 1 + i);
    require(operand.is_array() && update.is_array() &&
                same_dims(operand, scatter.operand_shape(0)) &&
                same_dims(update, scatter.operand_shape(n + 1)),
            "scatter.C2", {"the operands are ", OperandShapes{scatter}},
            "the arrays must have one shape, and so must the updates");
  }
  require(is_integer(scatter.operand_shape(n).element_type), "scatter.C3",
          {"the indices are ", scatter.operand_shape(n)},
          "they must be integers");
}

/// The lists of dimensions name what they should, in order.
void check_lists(const ScatterDimensions& dims, const Shape& operand,
                 const Shape& indices, const Shape& updates) {
  require(
      dims.index_vector_dim >= 0 && dims.index_vector_dim <= indices.rank(),
      "scatter.C4",
      {"index_vector_dim is ", dims.index_vector_dim, " for indices ", indices},
      "it must be one of their dimensions, or one past them");
  require(
      is_sorted_dimensions(dims.update_window, updates.rank()), "scatter.C5",
      {"update_window_dims is ", dims.update_window, " for updates ", updates},
      "these must be dimensions of the updates, in order");
  require(
      is_sorted_dimensions(dims.inserted, operand.rank()), "scatter.C6",
      {"inserted_window_dims is ", dims.inserted, " for the operand ", operand},
      "these must be dimensions of the operand, in order");
  require(is_sorted_dimensions(dims.operand_batching, operand.rank()) &&
              std::ranges::none_of(dims.operand_batching,
                                   [&](int64_t d) {
                                     return std::ranges::count(dims.inserted,
                                                               d) > 0;
                                   }),
          "scatter.C7",
          {"input_batching_dims is ", dims.operand_batching,
           " and inserted_window_dims ", dims.inserted, " for the operand ",
           operand},
          "these must be further dimensions of the operand, in order");
}

void check_batching(const ScatterDimensions& dims, const Shape& operand,
                    const Shape& indices) {
  require(are_dimensions(dims.indices_batching, indices.rank()) &&
              std::ranges::count(dims.indices_batching,
                                 dims.index_vector_dim) == 0 &&
              dims.indices_batching.size() == dims.operand_batching.size(),
          "scatter.C8",
          {"scatter_indices_batching_dims is ", dims.indices_batching,
           " and input_batching_dims ", dims.operand_batching, " for indices ",
           indices},
          "these must be as many dimensions of the indices, without "
          "index_vector_dim");
  for (size_t i = 0; i < dims.indices_batching.size(); ++i) {
    require(
        fit(at(operand, dims.operand_batching[i]),
            at(indices, dims.indices_batching[i])),
        "scatter.C9",
        {"dimension ", dims.operand_batching[i], " of ", operand,
         " goes with dimension ", dims.indices_batching[i], " of ", indices},
        "paired batching dimensions must have the same size");
  }
}

void check_index_vector(const ScatterDimensions& dims, const Shape& operand,
                        const Shape& indices) {
  const int64_t size = dims.index_vector_dim == indices.rank()
                           ? 1
                           : at(indices, dims.index_vector_dim);
  require(fit(static_cast<int64_t>(dims.to_operand.size()), size),
          "scatter.C10",
          {"scatter_dims_to_operand_dims is ", dims.to_operand,
           " and an index vector has ", Count{size, "element"}},
          "there must be an entry for each element");
  Ints all = dims.to_operand;
  all.insert(all.end(), dims.operand_batching.begin(),
             dims.operand_batching.end());
  require(are_dimensions(all, operand.rank()), "scatter.C11",
          {"scatter_dims_to_operand_dims is ", dims.to_operand,
           " for the operand ", operand},
          "these must be distinct dimensions of the operand, without the "
          "batching ones");
}

void check_updates(const ScatterDimensions& dims, const Shape& operand,
                   const Shape& indices, const Shape& updates) {
  const auto window = static_cast<int64_t>(dims.update_window.size());
  require(operand.rank() ==
              window + static_cast<int64_t>(dims.inserted.size() +
                                            dims.operand_batching.size()),
          "scatter.C12",
          {"the operand ", operand, " has ", Count{window, "window dimension"},
           ", inserts ", dims.inserted, " and batches ", dims.operand_batching},
          "each of its dimensions must be one of the three");
  const Ints kept = dims.scatter_dims_of_indices(indices.rank());
  require(updates.rank() == window + static_cast<int64_t>(kept.size()),
          "scatter.C13",
          {"the updates are ", updates, ", with ", Count{window, "dimension"},
           " of the window and ", std::ssize(kept), " of the indices"},
          "they must have these dimensions");
  const Ints windowed = dims.window_dims_of_operand(operand.rank());
  for (size_t i = 0; i < windowed.size(); ++i) {
    const int64_t bound = at(operand, windowed[i]);
    require(bound == kUnbounded || at(updates, dims.update_window[i]) <= bound,
            "scatter.C14",
            {"dimension ", dims.update_window[i], " of the updates ", updates,
             " meets ", Count{bound, "element"}, " of the operand"},
            "a window must fit into the operand");
  }
  const Ints scattered = dims.scatter_dims_of_updates(updates.rank());
  for (size_t i = 0; i < scattered.size(); ++i) {
    require(fit(at(updates, scattered[i]), at(indices, kept[i])), "scatter.C15",
            {"dimension ", scattered[i], " of the updates ", updates,
             " goes with dimension ", kept[i], " of the indices ", indices},
            "they must have one size");
  }
}

/// The region takes an element of each operand, then of each update.
void check_region(const Instruction& scatter) {
  const Computation& region = *scatter.get<Computation*>("to_apply");
  const size_t n = scatter.operands.size() / 2;
  require(
      region.parameters.size() == 2 * n, "scatter.C16",
      {"the region takes ", Count{std::ssize(region.parameters), "argument"}},
      "it must take a scalar of each operand and of each update");
  const auto results = leaves(region.root->shape);
  require(results.size() == n, "scatter.C17",
          {"the region returns ", region.root->shape},
          "it must return a scalar for each operand");
  for (size_t i = 0; i < n; ++i) {
    const Shape& type = region.parameters[i]->shape;
    require(type.is_scalar() && region.parameters[n + i]->shape.is_scalar(),
            "scatter.C16", {"the region takes ", ParameterShapes{region}},
            "it must take a scalar of each operand and of each update");
    require(compatible(*results[i], type), "scatter.C17",
            {"the region returns ", *results[i], " where it takes ", type},
            "it must return a scalar for each operand, of the type it takes");
    const auto fits = [&](ElementType other) {
      return same_up_to_precision(type.element_type, other);
    };
    require(fits(scatter.operand_shape(i).element_type) &&
                fits(scatter.operand_shape(n + 1 + i).element_type) &&
                fits(region.parameters[n + i]->shape.element_type),
            "scatter.C18",
            {"operands are ", OperandShapes{scatter}, " and the region takes ",
             ParameterShapes{region}},
            "they must have the same types, but for the precision of floats");
  }
}

Shape infer(const Instruction& scatter) {
  check_arrays(scatter);
  const size_t n = scatter.operands.size() / 2;
  const ScatterDimensions dims(scatter);
  const Shape& operand = scatter.operand_shape(0);
  const Shape& indices = scatter.operand_shape(n);
  const Shape& updates = scatter.operand_shape(n + 1);
  check_lists(dims, operand, indices, updates);
  check_batching(dims, operand, indices);
  check_index_vector(dims, operand, indices);
  check_updates(dims, operand, indices, updates);
  check_region(scatter);
  std::vector<Shape> results = operand_shapes(scatter);
  results.resize(n);
  return one_or_tuple(std::move(results));
}

/// The first element of the window with these numbers.
Index start_of(const ScatterDimensions& dims, int64_t rank,
               const Literal& indices, const Index& numbers) {
  const Ints numbered = dims.scatter_dims_of_indices(indices.shape().rank());
  Index from(indices.shape().dims.size());
  place(from, numbered, numbers);
  Index start(static_cast<size_t>(rank));
  place(start, dims.operand_batching, chosen(from, dims.indices_batching));
  for (size_t k = 0; k < dims.to_operand.size(); ++k) {
    if (dims.index_vector_dim < indices.shape().rank()) {
      place(from, {dims.index_vector_dim}, {static_cast<int64_t>(k)});
    }
    const int64_t i = linearize(from, indices.shape().dims);
    place(start, {dims.to_operand[k]}, {indices.integer(i)});
  }
  return start;
}

/// Windows of updates, and where they lie in the operand.
struct Windows {
  ScatterDimensions dims;
  Ints operand;  // its sizes
  Ints updates;  // their sizes
  Literal indices;

  Index start(const Index& update) const {
    const Ints numbers = dims.scatter_dims_of_updates(std::ssize(updates));
    return start_of(dims, std::ssize(operand), indices,
                    chosen(update, numbers));
  }

  /// The window's dimensions of an index or of sizes of the updates.
  Index in_window(const Index& update, int64_t otherwise) const {
    Index window(operand.size(), otherwise);
    place(window, dims.window_dims_of_operand(std::ssize(operand)),
          chosen(update, dims.update_window));
    return window;
  }

  Index place_of(const Index& update) const {
    Index index = start(update);
    const Index offset = in_window(update, 0);
    for (size_t d = 0; d < index.size(); ++d) index[d] += offset[d];
    return index;
  }

  /// Where the update at an index goes: nowhere where its window does not lie
  /// in the operand as a whole.
  std::optional<Index> target(const Index& update) const {
    const Index first = start(update);
    const Index extent = in_window(updates, 1);
    for (size_t d = 0; d < first.size(); ++d) {
      const bool inside = first[d] >= 0 && first[d] <= operand[d] - extent[d];
      if (!inside) return std::nullopt;
    }
    return place_of(update);
  }
};

Updates updates(const Instruction& scatter, Operands operands, Evaluator&) {
  const size_t n = operands.size() / 2;
  const Operands initial = operands.first(n);
  const Operands sources = operands.subspan(n + 1);
  const Windows windows{.dims = ScatterDimensions(scatter),
                        .operand = operands[0].shape().dims,
                        .updates = sources[0].shape().dims,
                        .indices = operands[n]};
  Ints order =
      windows.dims.scatter_dims_of_updates(std::ssize(windows.updates));
  std::ranges::copy(windows.dims.update_window, std::back_inserter(order));
  return {
      .initial = {initial.begin(), initial.end()},
      .sources = {sources.begin(), sources.end()},
      .first_source = n + 1,
      .order = order,
      .target =
          [windows](const Index& update) { return windows.target(update); },
      .place =
          [windows](const Index& update) { return windows.place_of(update); },
      .region = scatter.get<Computation*>("to_apply")};
}

void fit_batches(const Fitting& on, const ScatterDimensions& dims, size_t n) {
  for (size_t i = 0; i < dims.operand_batching.size(); ++i) {
    on.pair(0, dims.operand_batching[i], n, dims.indices_batching[i]);
  }
}

/// Windows are no longer than the operand.
void fit_windows(const Fitting& on, const ScatterDimensions& dims, size_t n) {
  const Ints windowed = dims.window_dims_of_operand(std::ssize(on.sizes[0]));
  for (size_t i = 0; i < windowed.size(); ++i) {
    int64_t& window = on.size(n + 1, dims.update_window[i]);
    window = std::min(window, on.size(0, windowed[i]));
  }
}

void fit(const Fitting& on) {
  const size_t n = on.sizes.size() / 2;
  require_index_vectors(on, n);
  on.join(0, n);
  on.join(n + 1, n);
  const ScatterDimensions dims(on.instruction);
  const Ints kept = dims.scatter_dims_of_indices(std::ssize(on.sizes[n]));
  const Ints scattered =
      dims.scatter_dims_of_updates(std::ssize(on.sizes[n + 1]));
  // An operand's size reaches the updates by way of the indices.
  fit_batches(on, dims, n);
  for (size_t i = 0; i < kept.size(); ++i) {
    on.pair(n, kept[i], n + 1, scattered[i]);
  }
  fit_batches(on, dims, n);
  fit_windows(on, dims, n);
  for (size_t i = 1; i < n; ++i) {
    on.sizes[i] = on.sizes[0];
    on.sizes[n + 1 + i] = on.sizes[n + 1];
  }
}

int64_t work(const Instruction& scatter) {
  constexpr int64_t kUpdate = 50;
  const int64_t arrays = std::ssize(scatter.operands) / 2;
  const int64_t updates = scatter.operands.back()->shape.element_count();
  return std::max(result_elements(scatter),
                  saturating_product({updates, kUpdate, arrays}));
}

}  // namespace

extern constinit const Op op_scatter{
    .name = "scatter",
    .min_operands = 3,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .updates = updates,
    .work = work,
    .accuracy = {.kind = Accuracy::Kind::kInherit},
    .fit = fit};

}  // namespace hlo
