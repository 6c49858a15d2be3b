// spec/ops/gather.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/dimensions/gather_numbers.h"
#include "interpreter/rules/dimensions/start_indices.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"offset_dims", AttributeKind::kInts, /*required=*/true},
    {"collapsed_slice_dims", AttributeKind::kInts, /*required=*/true},
    {"start_index_map", AttributeKind::kInts, /*required=*/true},
    {"operand_batching_dims", AttributeKind::kInts},
    {"start_indices_batching_dims", AttributeKind::kInts},
    {"index_vector_dim", AttributeKind::kInt, /*required=*/true},
    {"slice_sizes", AttributeKind::kInts, /*required=*/true},
    {"indices_are_sorted", AttributeKind::kBool}};

bool are_sorted_dimensions(const Ints& dims, int64_t rank) {
  return are_dimensions(dims, rank) && std::ranges::is_sorted(dims);
}

void check_index_vector(const Shape& operand, const Shape& indices,
                        const GatherNumbers& n) {
  require(indices.is_array() && is_integer(indices.element_type), "gather.C1",
          {"the start indices are ", indices}, "they must be integers");
  require(n.index_vector_dim >= 0 && n.index_vector_dim <= indices.rank(),
          "gather.C2",
          {"index_vector_dim is ", n.index_vector_dim, " for start indices ",
           indices},
          "it must be one of their dimensions, or their rank");
  const int64_t length =
      n.index_vector_dim == indices.rank()
          ? 1
          : indices.dims[static_cast<size_t>(n.index_vector_dim)];
  require(static_cast<int64_t>(n.start_index_map.size()) == length, "gather.C3",
          {"start_index_map is ", n.start_index_map,
           " and an index vector has ", Count{length, "index", "indices"}},
          "there must be one entry per index");
  require(
      are_dimensions(n.start_index_map, operand.rank()), "gather.C4",
      {"start_index_map is ", n.start_index_map, " for the operand ", operand},
      "it must name different dimensions of the operand");
}

void check_slices(const Shape& operand, const GatherNumbers& n) {
  require(static_cast<int64_t>(n.slice_sizes.size()) == operand.rank(),
          "gather.C5",
          {"slice_sizes is ", n.slice_sizes, " for the operand ", operand},
          "it must have one entry per dimension of the operand");
  for (size_t d = 0; d < n.slice_sizes.size(); ++d) {
    require(n.slice_sizes[d] >= 0 && (operand.dims[d] == kUnbounded ||
                                      n.slice_sizes[d] <= operand.dims[d]),
            "gather.C6",
            {"slice_sizes takes ", n.slice_sizes[d], " of dimension ", d,
             " of ", operand},
            "the size must be from 0 to the dimension's");
  }
  require(
      are_sorted_dimensions(n.collapsed, operand.rank()), "gather.C7",
      {"collapsed_slice_dims is ", n.collapsed, " for the operand ", operand},
      "these must be dimensions of the operand, in order");
  require(are_sorted_dimensions(n.operand_batching, operand.rank()),
          "gather.C8",
          {"operand_batching_dims is ", n.operand_batching, " for the operand ",
           operand},
          "these must be dimensions of the operand, in order");
  for (const Ints* dims : {&n.collapsed, &n.operand_batching}) {
    for (const int64_t d : *dims) {
      require(n.slice_sizes[static_cast<size_t>(d)] <= 1, "gather.C9",
              {"slices take ", n.slice_sizes[static_cast<size_t>(d)],
               " of dimension ", d},
              "they must take at most 1 of collapsed and batching dimensions");
    }
  }
}

void check_batching(const Shape& operand, const Shape& indices,
                    const GatherNumbers& n) {
  for (const int64_t d : n.operand_batching) {
    require(std::ranges::count(n.collapsed, d) == 0, "gather.C10",
            {"dimension ", d, " is collapsed and batching"},
            "it must be one of the two");
  }
  require(n.indices_batching.size() == n.operand_batching.size() &&
              are_dimensions(n.indices_batching, indices.rank()) &&
              std::ranges::count(n.indices_batching, n.index_vector_dim) == 0,
          "gather.C11",
          {"start_indices_batching_dims is ", n.indices_batching,
           " and operand_batching_dims ", n.operand_batching,
           ", for start indices ", indices},
          "these must be as many different dimensions of the start indices, "
          "without index_vector_dim");
  for (size_t i = 0; i < n.operand_batching.size(); ++i) {
    require(operand.dims[static_cast<size_t>(n.operand_batching[i])] ==
                indices.dims[static_cast<size_t>(n.indices_batching[i])],
            "gather.C12",
            {"dimension ", n.operand_batching[i], " of ", operand,
             " goes with dimension ", n.indices_batching[i], " of ", indices},
            "batching dimensions of operand and start indices must be as long "
            "as each other");
  }
}

Shape result_shape(const Shape& operand, const Shape& indices,
                   const GatherNumbers& n) {
  Shape result = Shape::array(operand.element_type,
                              Ints(n.offset_dims.size() + n.batch_dims.size()));
  const auto set = [&](int64_t to, const Shape& from, int64_t d, int64_t size) {
    result.dims[static_cast<size_t>(to)] = size;
    result.set_dynamic(
        to, from.is_dynamic(d) && size == from.dims[static_cast<size_t>(d)]);
  };
  for (size_t i = 0; i < n.window.size(); ++i) {
    set(n.offset_dims[i], operand, n.window[i],
        n.slice_sizes[static_cast<size_t>(n.window[i])]);
  }
  for (size_t i = 0; i < n.batch_dims.size(); ++i) {
    set(n.batch_dims[i], indices, n.index_dims[i],
        indices.dims[static_cast<size_t>(n.index_dims[i])]);
  }
  return result;
}

Shape infer(const Instruction& gather) {
  const Shape& operand = gather.operand_shape(0);
  const Shape& indices = gather.operand_shape(1);
  require(operand.is_array(), "gather.C1", {"the operand is ", operand},
          "an array must be gathered from");
  const GatherNumbers n = gather_numbers(gather);
  check_index_vector(operand, indices, n);
  check_slices(operand, n);
  check_batching(operand, indices, n);
  const auto rank =
      static_cast<int64_t>(n.offset_dims.size() + n.index_dims.size());
  require(are_sorted_dimensions(n.offset_dims, rank), "gather.C13",
          {"offset_dims is ", n.offset_dims, " for a result of rank ", rank},
          "these must be dimensions of the result, in order");
  require(n.offset_dims.size() == n.window.size(), "gather.C14",
          {"offset_dims is ", n.offset_dims, " for ",
           Count{std::ssize(n.window), "dimension"}, " of a slice"},
          "it must have one entry for each dimension of the operand that is "
          "neither collapsed nor batching");
  return result_shape(operand, indices, n);
}

/// Element i of the index vector at `batch` starts the slice in dimension
/// start_index_map[i], unless that is a batching dimension. `batch` has a place
/// for each dimension of the start indices but the vector's.
Index slice_starts(const Instruction& gather, const GatherNumbers& n,
                   const Literal& indices, const Index& batch) {
  const Ints& dims = gather.operand_shape(0).dims;
  Index starts(dims.size(), 0);
  for (size_t i = 0; i < n.start_index_map.size(); ++i) {
    Index at = batch;
    if (n.index_vector_dim < indices.shape().rank()) {
      at.insert(at.begin() + n.index_vector_dim, static_cast<int64_t>(i));
    }
    const auto d = static_cast<size_t>(n.start_index_map[i]);
    starts[d] = clamped_start(indices, linearize(at, indices.shape().dims),
                              dims[d], n.slice_sizes[d]);
  }
  for (size_t i = 0; i < n.operand_batching.size(); ++i) {
    const auto place = std::ranges::find(n.index_dims, n.indices_batching[i]);
    starts[static_cast<size_t>(n.operand_batching[i])] =
        batch[static_cast<size_t>(place - n.index_dims.begin())];
  }
  return starts;
}

/// Slices without elements leave zeros.
Origin source(const Instruction& gather, Operands operands,
              const Index& result) {
  const GatherNumbers n = gather_numbers(gather);
  if (std::ranges::count(n.slice_sizes, 0) > 0) return {};
  Index batch;
  for (const int64_t d : n.batch_dims) {
    batch.push_back(result[static_cast<size_t>(d)]);
  }
  Index index = slice_starts(gather, n, operands[1], batch);
  for (size_t i = 0; i < n.window.size(); ++i) {
    index[static_cast<size_t>(n.window[i])] +=
        result[static_cast<size_t>(n.offset_dims[i])];
  }
  return {0, index};
}

void fit(const Fitting& on) {
  require_index_vectors(on, 1);
  const GatherNumbers n = gather_numbers(on.instruction);
  for (size_t i = 0; i < n.operand_batching.size(); ++i) {
    on.pair(0, n.operand_batching[i], 1, n.indices_batching[i]);
  }
  fit_slice_sizes(on, "slice_sizes");
}

// To find a row takes as long as to copy some of its elements.
int64_t work(const Instruction& gather) {
  constexpr int64_t kRow = 10;
  const Ints& sizes = gather.get<Ints>("slice_sizes");
  const int64_t row = sizes.empty() ? 1 : std::max<int64_t>(sizes.back(), 1);
  const int64_t elements = result_elements(gather);
  return std::max(elements, saturating_product({elements / row + 1, kRow}));
}

}  // namespace

extern constinit const Op op_gather{.name = "gather",
                                    .min_operands = 2,
                                    .max_operands = 2,
                                    .attributes = kAttributes,
                                    .infer = infer,
                                    .source = source,
                                    .moving = {.operands = 1},
                                    .work = work,
                                    .accuracy = {.moves_data = true},
                                    .fit = fit};

}  // namespace hlo
